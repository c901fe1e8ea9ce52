"""Tables, charts and pages made from results."""
