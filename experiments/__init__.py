"""Questions, one TOML file each: `cooncan run` plays them."""
