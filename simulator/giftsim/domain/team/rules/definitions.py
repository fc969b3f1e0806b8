"""Tables, the daily timer and settings of rules."""

from __future__ import annotations

from giftsim.domain.team.rules import rule_evaluation, rule_schedule
from giftsim.domain.team.rules.deal_event import DEAL_EVENTS
from giftsim.domain.team.rules.rule import RULES
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect_key
from giftsim.kernel.state import TIMER_SUBJECT

DEFINITIONS = PackageDefinitions(
    tables=(RULES, DEAL_EVENTS, rule_evaluation.RULE_GIFTS),
    timers={rule_schedule.RUN: rule_evaluation.run_daily},
    perpetual=(rule_schedule.RUN,),
    settings=(rule_schedule.AUTO, rule_evaluation.DRY_RUN),
    connections=(connect_key(TIMER_SUBJECT, rule_schedule.OWNER, rule_schedule.timer_subject),),
)
