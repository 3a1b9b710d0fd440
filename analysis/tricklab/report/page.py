"""A report's page: the answers of studies, told by one template."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import matplotlib as mpl
from markupsafe import Markup

from tricklab import figures, words
from tricklab.games import game_class
from tricklab.studies import study
from tricklab.studies.answer import Answer, Figure, Part

LEADING = 4
"""Findings of a study that the summary tells; others stand in its section, unless one of its parts
says them."""

NO_METADATA = ("Date", "Creator", "Format", "Type")
"""What Matplotlib would write about the file, addresses of vocabularies included."""


def build(answers: Sequence[Answer], stated: Mapping[str, Any]) -> str:
    """The HTML of a report.

    Parameters
    ----------
    answers : sequence of Answer
        In the order of telling.
    stated : mapping
        Provenance.
    """
    sections = [_section(answer) for answer in answers]
    games = {name: None for answer in answers for name in answer.stated["games"]}
    policies = {text: None for answer in answers for text in answer.stated["policies"]}
    return _render(
        {
            "title": words.listed([game_class(name).title for name in games]),
            "games": [game_class(name) for name in games],
            "policies": list(policies),
            "sections": sections,
            "assumptions": [part for section in sections for part in section["assumptions"]],
            "stated": stated,
        }
    )


def _section(answer: Answer) -> dict[str, Any]:
    asked = study(answer.study)
    parts = [(part, _drawn(answer, part)) for part in answer.parts]
    below = {point for part in answer.parts for point in part.points}
    return {
        "name": answer.study,
        "title": asked.title,
        "question": asked.question,
        "stated": answer.stated,
        "leading": answer.findings[:LEADING],
        "others": [found for found in answer.findings[LEADING:] if found not in below],
        "parts": [drawn for part, drawn in parts if not part.assumption],
        "assumptions": [drawn for part, drawn in parts if part.assumption],
    }


def _drawn(answer: Answer, part: Part) -> dict[str, Any]:
    return {
        "id": f"{answer.study}-{''.join(c for c in part.title.lower() if c.isalnum())}",
        "part": part,
        "shows": [
            {"shown": shown, "svg": svg(shown) if isinstance(shown, Figure) else None}
            for shown in part.shows
        ],
    }


def svg(figure: Figure) -> Markup:
    """A figure as inline SVG with a text for those who cannot see it."""
    out = io.StringIO()
    drawn = figure.draw().get_figure(root=True)
    assert drawn is not None
    # Within the style, whose salt makes the names inside the file the same every time.
    with mpl.rc_context(figures.STYLE):
        drawn.savefig(out, format="svg", metadata=dict.fromkeys(NO_METADATA))
    text = out.getvalue()
    found = text[text.index("<svg") :]
    label = f'<svg role="img" aria-label="{Markup.escape(figure.title)}" '
    return Markup(found.replace("<svg ", label, 1))


def _render(context: dict[str, Any]) -> str:
    folder = Path(str(resources.files(__package__)))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    kept = {
        name: Markup((folder / f"{name}.{kind}").read_text(encoding="utf-8"))
        for name, kind in (("style", "css"), ("sort", "js"))
    }
    return environment.get_template("report.html").render(context, **kept)
