"""Figures: each takes a frame and returns its axes, and all look alike."""

from tricklab.figures.balance import effects, interplay, seats, shares, striking
from tricklab.figures.general import distribution, estimates, heat, lines
from tricklab.figures.style import STYLE

__all__ = [
    "STYLE",
    "distribution",
    "effects",
    "estimates",
    "heat",
    "interplay",
    "lines",
    "seats",
    "shares",
    "striking",
]
