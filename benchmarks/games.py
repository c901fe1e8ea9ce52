"""Every game with its greedy strategy in all seats: turns a second, beside those of `jaques`."""

from dataclasses import replace

from benchmarks.rounds import Row, fastest
from cooncan_sim.catalog import GAMES, strategies
from cooncan_sim.simulate import Plan, play

SEED, HANDS, ROUNDS = 3, 4_000, 7
TARGETS = {"double_rum": 0.25, "konkan": 0.15}  # the others: half of jaques


def rows() -> list[Row]:
    """One row a game, with the fewest players that it allows."""
    plans = {key: Plan(key, ((greedy(key),) * min(GAMES[key].players),), SEED) for key in GAMES}
    turns = {key: int(play(plan, 0, HANDS).turns.sum()) for key, plan in plans.items()}
    tasks = {key: lambda plan=plan: play(plan, 0, HANDS) for key, plan in plans.items()}
    seconds = fastest(tasks, ROUNDS)
    speed = {key: turns[key] / seconds[key] for key in GAMES}
    found = []
    for key, plan in plans.items():
        what = (
            f"{key}: {greedy(key)} in {plan.players} seats, {turns[key] / HANDS:.0f} turns a hand"
        )
        row = Row("games", what, speed[key], "turns/s")
        if key != "jaques":
            ratio, target = speed[key] / speed["jaques"], TARGETS.get(key, 0.5)
            beside = {"beside": "jaques", "ratio": ratio, "target": f">= {target}"}
            row = replace(row, **beside, met=ratio >= target)
        found.append(row)
    return found


def greedy(game: str) -> str:
    """The greedy strategy of the game."""
    names = {page.name for page in strategies(game)}
    return next(name for name in ("greedy", "cq-greedy", "kk-greedy") if name in names)
