"""Policies by name and their textual form, ``careful:patience=0.8``."""

from __future__ import annotations

from collections.abc import Sequence

from tricklab import options
from tricklab.errors import UserError
from tricklab.policies.base import Policy
from tricklab.policies.brazen import Brazen
from tricklab.policies.careful import Careful
from tricklab.policies.declares import Declares
from tricklab.policies.delegates import Appointed, Delegate, Gives
from tricklab.policies.random import Random
from tricklab.policies.simple import Simple

POLICIES: dict[str, type[Policy]] = {cls.name: cls for cls in (Random, Simple, Careful, Brazen)}
"""The policies that have a name, weakest first; ``brazen`` differs from ``careful`` only where
revokes are possible."""

__all__ = [
    "POLICIES",
    "Appointed",
    "Brazen",
    "Careful",
    "Declares",
    "Delegate",
    "Gives",
    "Policy",
    "Random",
    "Simple",
    "policy",
    "seated",
]


def policy(given: str | Policy) -> Policy:
    """A policy from its textual form; a policy object is returned as it is.

    Raises
    ------
    UserError
        For an unknown name or parameter, or a value out of range.
    """
    if isinstance(given, Policy):
        return given
    if not isinstance(given, str):
        raise UserError(
            f"a policy is a Policy object or its textual form, such as 'careful', not {given!r}"
        )
    name, _, rest = given.strip().partition(":")
    if name not in POLICIES:
        raise UserError(f"there is no policy {name!r}; {options.suggestion(name, POLICIES)}")
    values = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise UserError(f"policy {given!r}: write a parameter as name=value, not {part!r}")
        values[key.strip()] = value.strip()
    return options.build(POLICIES[name], values, f"policy {name} has no parameter", UserError)


def seated(given: str | Policy | Sequence[str | Policy], players: int) -> tuple[Policy, ...]:
    """One policy a seat, from one for all or from a sequence of one a seat."""
    if isinstance(given, (str, Policy)):
        return (policy(given),) * players
    try:
        policies = tuple(policy(each) for each in given)
    except TypeError:
        policy(given)  # type: ignore[arg-type]
        raise
    if len(policies) != players:
        raise UserError(f"{len(policies)} policies for {players} players; give one, or one a seat")
    return policies
