"""Everything that a question asks, as steps: each is played by itself and gives rows of tables."""

from collections.abc import Iterator

from cooncan_sim import catalog
from cooncan_sim.arms import Contrasting, Observing
from cooncan_sim.compare import Trial
from cooncan_sim.comparing import Comparing, Conditional
from cooncan_sim.judging import words
from cooncan_sim.observing import Arm
from cooncan_sim.question import CONTROL, Contest, Question, Side, combinations
from cooncan_sim.weighing import Weighing

Step = Comparing | Conditional | Contrasting | Observing | Weighing


def steps(question: Question, quick: bool) -> list[Step]:
    """Everything to play, in the order in which it is played."""
    return [
        *(step for contest in question.compare for step in _compared(contest, question, quick)),
        *_contrasted(question, quick),
        *_by_house_rule(question, quick),
        *_observed(question, quick),
        *_where(question, quick),
        *_weighed(question, quick),
    ]


def _compared(contest: Contest, question: Question, quick: bool) -> Iterator[Comparing]:
    fixed = contest.deals is not None
    deals = contest.length(quick)
    for game in contest.game:
        for rules in combinations(contest.rules):
            for weights in combinations(contest.sweep):
                for plain in contest.controls:
                    treatment = contest.treatment.with_weights(weights)
                    control = plain.with_weights(weights)
                    for name in contest.fields:
                        others = control if name == CONTROL else Side(name, name)
                        for players in contest.tables(game):
                            trial = Trial(
                                game,
                                control.strategy,
                                treatment.strategy,
                                others.with_weights(weights).strategy,
                                players,
                                question.seed,
                                rules,
                                (contest.metric, *contest.secondary),
                                contest.match,
                                contest.treated,
                            )
                            least, swept = (
                                contest.least,
                                words({k: f"{v:g}" for k, v in weights.items()}),
                            )
                            yield Comparing(
                                trial, deals, not fixed, least, treatment, control, swept
                            )


def _contrasted(question: Question, quick: bool) -> Iterator[Contrasting]:
    for asked in question.contrast:
        for strategy in asked.strategies:
            for players in asked.players:
                arms = [
                    Arm(one.game, players, strategy, one.rules, asked.match, question.seed)
                    for one in (asked.treatment, asked.control)
                ]
                yield Contrasting(
                    arms[0],
                    arms[1],
                    (asked.treatment.label, asked.control.label),
                    (asked.metric, *asked.secondary),
                    asked.quick_deals if quick else asked.deals,
                    asked.min_effect,
                )


def _by_house_rule(question: Question, quick: bool) -> Iterator[Contrasting]:
    for asked in question.house_rules:
        for game in asked.game:
            usual = catalog.game(game).rules()
            for strategy in asked.strategies:
                for players in asked.players:
                    control = Arm(game, players, strategy, {}, asked.match, question.seed)
                    for switch, options in asked.options.items():
                        for option in options:
                            yield Contrasting(
                                Arm(
                                    game,
                                    players,
                                    strategy,
                                    {switch: option},
                                    asked.match,
                                    question.seed,
                                ),
                                control,
                                (f"{switch} {option}", f"{switch} {usual[switch]}"),
                                (asked.metric, *asked.secondary),
                                asked.quick_deals if quick else asked.deals,
                                None,
                                switch,
                                str(option),
                            )


def _observed(question: Question, quick: bool) -> Iterator[Observing]:
    for asked in question.observe:
        for game in asked.game:
            for rules in combinations(asked.rules):
                for strategy in asked.strategies:
                    for players in asked.players:
                        yield Observing(
                            Arm(game, players, strategy, rules, asked.match, question.seed),
                            (asked.metric, *asked.secondary),
                            asked.quick_deals if quick else asked.deals,
                            asked.above,
                            asked.below,
                            asked.distribution,
                        )


def _where(question: Question, quick: bool) -> Iterator[Conditional]:
    for asked in question.where:
        deals = asked.quick_deals if quick else asked.deals
        for control in asked.controls:
            for name in asked.fields:
                for behind in asked.behind or (None,):
                    treatment = asked.treatment.with_weights({"behind": behind or 0})
                    for players in asked.players:
                        trial = Trial(
                            asked.game,
                            control.strategy,
                            treatment.strategy,
                            control.strategy if name == CONTROL else name,
                            players,
                            question.seed,
                            metrics=("win" if behind else "penalty",),
                            match=behind is not None,
                        )
                        least = asked.min_effect
                        yield Conditional(trial, deals, behind, least, treatment, control)


def _weighed(question: Question, quick: bool) -> Iterator[Weighing]:
    for asked in question.rollouts:
        for strategy in asked.strategies:
            for players in asked.players:
                arms = [
                    Arm(one.game, players, strategy, one.rules, False, question.seed)
                    for one in (asked.treatment, asked.control)
                ]
                yield Weighing(
                    arms[0],
                    arms[1],
                    (asked.treatment.label, asked.control.label),
                    asked.worth,
                    asked.quick_deals if quick else asked.deals,
                    asked.above,
                )
