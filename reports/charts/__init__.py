"""Charts: each draws a tidy table on an Axes it is given and has words that say the same.

    forest      effects with their intervals, one line each; shares and means likewise
    slopes      one tip across table sizes or variants; an effect over a swept weight, as ridges
    lengths     how long hands last, and what they cost: survival curves and ECDFs
    courses     how a number settled: a running mean inside its limits, weights while tuned
    contests    everybody against everybody: the matrix, and a cycle where one list will not do
    counts      runs through each rank

`drawing` holds what they share: the two widths, the colours, the files, the words.
"""
