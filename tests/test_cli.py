"""The command line: what it prints, and that a mistake is one line, exit code 2 and no trace."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path

import pytest

import tricklab as tl
from tricklab import cli, console, options
from tricklab.errors import Stopped
from tricklab.games import GAMES
from tricklab.policies import POLICIES
from tricklab.studies import STUDIES

DECK = (resources.files("tricklab.games.junni") / "decks" / "journey.toml").read_text("utf-8")
PROGRAM = [sys.executable, "-c", "from tricklab.cli import main; main()"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Run in an empty folder, as wide as pipes are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


def files():
    return sorted(str(path) for path in Path().rglob("*"))


# ---------------------------------------------------------------------------------------- mistakes
SIMULATE = ("simulate", "junni", "--hands", "50", "--out", "run")
HOW_OFTEN = ("how-often", "junni", "--hands", "50")
MISTAKES = {
    "no such command": (("simulte",), "simulte"),
    "no such option": (("games", "--foo"), "--foo"),
    "no game": (("simulate",), "GAME"),
    "unknown game": (("simulate", "juni", "--out", "run"), "did you mean 'junni'"),
    "rules of an unknown game": (("rules", "juni"), "did you mean 'junni'"),
    "unknown switch": ((*SIMULATE, "--set", "shrive=true"), "did you mean 'shriving'"),
    "unknown value": ((*SIMULATE, "--set", "dice=maybe"), "J25"),
    "a switch without a value": ((*SIMULATE, "--set", "dice"), "'dice'"),
    "a switch without a name": ((*SIMULATE, "--set", "=true"), "'=true'"),
    "two players": ((*SIMULATE, "--set", "players=2"), "J3"),
    "seven players": ((*SIMULATE, "--set", "players=7"), "J3"),
    "five partners": ((*SIMULATE, "--set", "players=5", "--set", "partners=true"), "J24"),
    "a card twice": ((*SIMULATE, "--set", "deck=twice.toml"), "twice.toml"),
    "no such deck": ((*SIMULATE, "--set", "deck=nowhere.toml"), "nowhere.toml"),
    "a folder for a deck": ((*SIMULATE, "--set", "deck=."), "deck"),
    "unknown policy": ((*SIMULATE, "--policy", "carefull"), "did you mean 'careful'"),
    "unknown parameter": ((*SIMULATE, "--policy", "careful:daring=1"), "daring"),
    "parameter out of range": ((*SIMULATE, "--policy", "careful:decay=7"), "from 0 to 1"),
    "parameter that is no number": ((*SIMULATE, "--policy", "careful:decay=x"), "decay"),
    "a seat's policy without a seat": ((*SIMULATE, "--seat-policy", "simple"), "seat=policy"),
    "a seat that is not there": ((*SIMULATE, "--seat-policy", "4=simple"), "0 to 3"),
    "a seat that is no number": ((*SIMULATE, "--seat-policy", "-1=simple"), "0 to 3"),
    "a seat's unknown policy": ((*SIMULATE, "--seat-policy", "1=simpel"), "'simple'"),
    "no hands": (("simulate", "junni", "--hands", "0", "--out", "run"), "not 0"),
    "hands below none": (("simulate", "junni", "--hands", "-1", "--out", "run"), "not -1"),
    "hands that are no number": (("simulate", "junni", "--hands", "many"), "--hands"),
    "seed below none": ((*SIMULATE, "--seed", "-1"), "seed"),
    "no workers": ((*SIMULATE, "--jobs", "0"), "jobs"),
    "unknown record": ((*SIMULATE, "--record", "cards"), "record"),
    "level of one": ((*SIMULATE, "--level", "1"), "--level"),
    "level that is no number": ((*SIMULATE, "--level", "nan"), "--level"),
    "output is a file": (("simulate", "junni", "--hands", "50", "--out", "a-file"), "is a file"),
    "output is taken": (("simulate", "junni", "--hands", "50", "--out", "full"), "not empty"),
    "output beneath a file": (
        ("simulate", "junni", "--hands", "50", "--out", "a-file/x"),
        "a-file",
    ),
    "unknown column": ((*HOW_OFTEN, "tircks > 1"), "tircks"),
    "a call": ((*HOW_OFTEN, "__import__('os').mkdir('trace')"), "event"),
    "a call in the condition": ((*HOW_OFTEN, "tricks > 1", "--given", "open('trace')"), "open"),
    "not an expression": ((*HOW_OFTEN, "tricks >"), "tricks >"),
    "neither true nor false": ((*HOW_OFTEN, "tricks + 1"), "tricks + 1"),
    "an empty event": ((*HOW_OFTEN, ""), "event"),
    "of what": ((*HOW_OFTEN, "tricks > 1", "--of", "cards"), "cards"),
    "no hands to count": (("how-often", "junni", "tricks > 1", "--hands", "0"), "not 0"),
    "level of nothing": ((*HOW_OFTEN, "tricks > 1", "--level", "0"), "--level"),
    "exact odds of play": (("how-often", "junni", "tricks > 1", "--exact"), "tricks"),
    "exact odds given": (("how-often", "junni", "trumps > 1", "--exact", "--given", "x"), "given"),
    "a hand below none": (("show", "junni", "--hand", "-1"), "-1"),
    "an unknown game shown": (("show", "juni"), "did you mean 'junni'"),
    "unknown policy timed": (("bench", "--policy", "careful", "--policy", "no"), "'no'"),
    "no measurements": (("bench", "--repeats", "0"), "repeats"),
}


@pytest.mark.parametrize(("args", "says"), MISTAKES.values(), ids=MISTAKES)
def test_mistake_is_one_line_and_leaves_nothing(tricklab, args, says):
    Path("a-file").write_text("mine\n")
    Path("full").mkdir()
    Path("full/mine").touch()
    Path("twice.toml").write_text(DECK.replace('["A", "2", "3"', '["A", "2", "2"', 1))
    before = files()
    code, out, err = tricklab(*args)
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert says in err
    assert files() == before
    assert Path("a-file").read_text() == "mine\n"


def test_level_and_folder_are_refused_before_hands_are_played(tricklab, monkeypatch):
    monkeypatch.setattr("tricklab.simulation.run_block", lambda *args, **kw: pytest.fail("played"))
    Path("a-file").touch()
    assert tricklab("simulate", "junni", "--level", "2")[0] == 2
    assert tricklab("how-often", "junni", "tricks > 1", "--level", "2")[0] == 2
    assert tricklab("simulate", "junni", "--out", "a-file")[0] == 2


@pytest.mark.parametrize(
    "args",
    [
        ("simulate", "juni"),
        ("simulate", "junni", "--hands", "x"),
        ("simulate", "junni", "--hands", "9", "--set", "players=9"),
    ],
)
def test_mistake_as_a_process(args):
    done = subprocess.run([*PROGRAM, *args], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


# ----------------------------------------------------------------------------------------- mishaps
def test_interruption_is_one_line_and_leaves_nothing(here):
    args = ["simulate", "junni", "--hands", "100000000", "--jobs", "1", "--histories", "told.jsonl"]
    process = subprocess.Popen([*PROGRAM, *args], stdout=-1, stderr=-1, text=True)
    try:
        # Not before a block has been played: what is loaded and compiled first may take its time.
        until = time.monotonic() + 200
        while not any(path.stat().st_size for path in here.iterdir()):
            assert time.monotonic() < until
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, "", "stopped; nothing was written\n")
    assert files() == []


@pytest.mark.parametrize("raised", [KeyboardInterrupt, EOFError])
def test_interruption_within_a_command(tricklab, monkeypatch, raised):
    def stopped(*args, **kwargs):
        raise raised

    monkeypatch.setattr("tricklab.simulation.run_block", stopped)
    code, out, err = tricklab("simulate", "junni", "--hands", "10")
    assert (code, out) == (130, "")
    assert err.strip() == "stopped; nothing was written"


def test_other_errors_keep_their_traceback(monkeypatch):
    def broken(*args, **kwargs):
        raise AssertionError("tricks do not add up")

    monkeypatch.setattr("tricklab.simulation.run_block", broken)
    with pytest.raises(AssertionError, match="add up"):
        cli.main(["simulate", "junni", "--hands", "10"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("args", [("games",), ("rules", "junni"), ("games", "--json")])
def test_full_disk_is_one_line(args):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PROGRAM, *args], stdout=full, stderr=-1, text=True)
    assert (done.returncode, done.stderr) == (1, "error: No space left on device\n")


@pytest.mark.parametrize("args", [("games",), ("rules", "junni")])
def test_reader_that_leaves_is_no_error(args):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*PROGRAM, *args], stdout=write, stderr=-1, text=True)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


# ------------------------------------------------------------------------------------ help, listing
def test_help_imports_nothing_heavy():
    heavy = "numpy pandas numba scipy rich.console joblib matplotlib"
    code = (
        "import sys, tricklab.cli\n"
        "try: tricklab.cli.main(['--help'])\n"
        f"finally: sys.stderr.write(' '.join(m for m in '{heavy}'.split() if m in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    for command in ("games", "rules", "simulate", "how-often", "show", "study", "report", "bench"):
        assert f"\n  {command} " in done.stdout


def test_no_command_prints_help(answer):
    assert answer().startswith("Usage: ")


def test_version(answer):
    assert answer("--version") == "tricklab 0.1.0\n"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("args", [("games",), ("rules", "{}", "--switches")])
def test_listings_show_every_switch(answer, name, args):
    shown = answer(*(arg.format(name) for arg in args))
    words = shown.split()
    for spec in options.specs(GAMES[name]).values():
        rows = [line for line in shown.splitlines() if line.startswith(f"{spec.name} ")]
        assert any(spec.clause in row.split() for row in rows)
        assert set(spec.meaning.split()) <= set(words)
        assert {f"{choice}" for choice in spec.choices} <= set(shown.replace(",", " ").split())


def test_games_lists_policies_with_their_parameters(answer):
    lines = [line.split() for line in answer("games").splitlines() if line]
    first = {line[0] for line in lines}
    for name, cls in POLICIES.items():
        assert {name, *options.specs(cls)} <= first


@pytest.mark.parametrize("name", GAMES)
def test_rules_when_piped_are_the_sheet(answer, name):
    shown = answer("rules", name)
    assert shown == GAMES[name].sheet()
    for spec in options.specs(GAMES[name]).values():
        assert f"**{spec.clause} " in shown


@pytest.mark.parametrize("name", GAMES)
def test_listings_as_json(answer, name):
    listed = json.loads(answer("games", "--json"))
    ruled = json.loads(answer("rules", name, "--json"))
    entry = next(game for game in listed["games"] if game["name"] == name)
    assert entry["switches"] == ruled["switches"]
    specs = options.specs(GAMES[name])
    assert {s["name"]: (s["clause"], s["default"]) for s in ruled["switches"]} == {
        s.name: (s.clause, s.default) for s in specs.values()
    }
    assert ruled["sheet"] == GAMES[name].sheet()
    assert ruled["version"] == GAMES[name].version
    assert {p["name"] for p in listed["policies"]} == set(POLICIES)
    assert ruled["provenance"]["command"] == f"tricklab rules {name} --json"
    assert "numba" in listed["provenance"]["versions"]


@pytest.mark.parametrize(
    "args",
    [
        ("games",),
        ("rules", "junni", "--switches"),
        ("simulate", "junni", "--hands", "300", "--policy", "simple"),
        ("simulate", "junni", "--hands", "2", "--set", "players=6", "--seat-policy", "5=random"),
        ("how-often", "junni", "any(tricks == 0)", "--hands", "300"),
        ("show", "junni"),
    ],
)
def test_output_fits_80_columns_without_trailing_blanks(answer, args):
    for line in answer(*args).splitlines():
        assert len(line) <= 80
        if args[0] != "show":
            assert line == line.rstrip()


# -------------------------------------------------------------------------------------------- runs
def test_simulate_prints_means_with_intervals(answer):
    shown = answer("simulate", "junni", "--hands", "400", "--policy", "random")
    run = tl.simulate(tl.game("junni"), 400, "random")
    seat = run.seats[run.seats["seat"] == 2]
    row = next(line for line in shown.splitlines() if line.startswith("seat 2 ")).split()
    for column, scale, at in (("tricks", 1, 2), ("win", 100, 5)):
        expected = tl.mean(seat[column].to_numpy(float))
        half = scale * (expected.high - expected.low) / 2
        assert float(row[at]) == pytest.approx(scale * expected.value, abs=0.06)
        assert float(row[at + 2].strip("%")) == pytest.approx(half, rel=0.06)
    share = 100 * seat["forced"].mean() / 20
    assert float(row[8]) == pytest.approx(share, abs=0.06)
    tied = int((run.hands["winners"] > 1).sum())
    line = next(line for line in shown.splitlines() if line.startswith("hands with a tie"))
    assert line.split()[-1] == "400"
    assert line.split()[-5] == f"{tied / 4:.1f}%"
    assert "400 deals; junni players=4; random at every seat; seed 0" in shown


def test_score_column_appears_where_tricks_are_not_the_score(answer):
    basic = answer("simulate", "junni", "--hands", "50")
    points = answer("simulate", "junni", "--hands", "50", "--set", "scoring=flat")
    assert "score" not in basic.splitlines()[1]
    assert "score" in points.splitlines()[1]


@pytest.mark.parametrize("hands", ["1", "2"])
def test_too_few_deals_claim_no_certainty(answer, hands):
    shown = answer("simulate", "junni", "--hands", hands)
    assert "± ?" in shown
    assert "± 0" not in shown
    assert "inf" not in shown
    assert "nan" not in shown
    assert "?: these deals do not show how it varies" in shown


@pytest.mark.parametrize("name", GAMES)
def test_no_number_and_no_label_is_cut_off(answer, name):
    switches = ("--set", "traitor=true") if name == "junni" else ()
    for command in (("simulate", "--hands"), ("matches", "--matches")):
        shown = answer(command[0], name, *switches, command[1], "30", "--policy", "simple")
        assert "…" not in shown


def test_simulate_as_json(answer, tmp_path):
    args = ("simulate", "junni", "--hands", "300", "--set", "dice=yes", "--seed", "5")
    args += ("--seat-policy", "0=careful:decay=0.3", "--level", "0.9", "--out", "run", "--json")
    said = json.loads(answer(*args))
    run = tl.load("run")
    assert said["provenance"] == json.loads(json.dumps(run.provenance.__dict__))
    assert said["provenance"]["command"] == " ".join(["tricklab", *args])
    assert said["provenance"]["switches"] == {"players": 4, "dice": True}
    assert said["provenance"]["policies"] == ["careful:decay=0.3", *["careful"] * 3]
    assert set(said["seats"]) == {"seat 0", "seat 1", "seat 2", "seat 3", "first leader"}
    wins = said["seats"]["seat 0"]["wins"]
    own = run.seats[run.seats["seat"] == 0]
    assert wins["value"] == pytest.approx(own["win"].mean())
    assert (wins["level"], wins["n"]) == (0.9, 300)
    forced = said["seats"]["seat 0"]["forced plays"]["value"]
    assert forced == pytest.approx(own["forced"].mean() / 20)
    broken = run.hands["broken_trick"]
    never = said["hands"]["hands in which trumps were never broken"]
    assert never["value"] == (broken == 0).mean()
    late = said["hands"]["trick in which trumps were broken, where they were"]
    assert late["value"] == pytest.approx(broken[broken > 0].mean())
    assert late["n"] == int((broken > 0).sum())


def test_one_hand_is_valid_json_without_infinities(answer):
    def no_constant(text):
        pytest.fail(f"{text} is not JSON")

    shown = answer("simulate", "junni", "--hands", "1", "--json")
    assert json.loads(shown, parse_constant=no_constant)["hands"]["winner's margin"]["high"] is None


@pytest.mark.parametrize("record", ["seats", "tricks", "plays"])
def test_record_and_out(answer, record):
    shown = answer("simulate", "junni", "--hands", "20", "--record", record, "--out", "a/run")
    assert shown.endswith("saved to a/run\n")
    assert (
        tuple(tl.load("a/run").frames)
        == {
            "seats": ("hands", "seats"),
            "tricks": ("hands", "seats", "tricks"),
            "plays": ("hands", "seats", "tricks", "plays"),
        }[record]
    )


@pytest.mark.parametrize(
    "args",
    [
        ("simulate", "junni", "--hands", "500", "--policy", "random"),
        ("how-often", "junni", "tricks > 7", "--hands", "500", "--policy", "random"),
        ("show", "junni", "--policy", "random"),
    ],
)
def test_same_seed_same_output(answer, args):
    assert answer(*args, "--seed", "3") == answer(*args, "--seed", "3")
    numbers = [answer(*args, "--seed", s).replace(f"seed {s}", "") for s in "34"]
    assert numbers[0] != numbers[1]


def test_jobs_change_nothing(answer):
    args = ("simulate", "junni", "--hands", "9000", "--policy", "random")
    assert answer(*args, "--jobs", "1") == answer(*args, "--jobs", "2", "--no-progress")


def test_seat_policy_is_of_that_seat_only(answer):
    said = json.loads(
        answer(
            *("simulate", "junni", "--hands", "9", "--policy", "simple", "--json"),
            *("--seat-policy", "2=careful:decay=0.3", "--seat-policy", "0=random"),
        )
    )
    assert said["provenance"]["policies"] == ["random", "simple", "careful:decay=0.3", "simple"]
    shown = answer("simulate", "junni", "--hands", "50", "--seat-policy", "2=random")
    rows = [" ".join(line.split()[:3]) for line in shown.splitlines() if line.startswith("seat")]
    assert rows == [f"seat {i} {'random' if i == 2 else 'careful'}" for i in range(4)]
    assert "careful but random at seat 2" in shown


def test_seat_policy_changes_that_seats_play(answer):
    args = ("simulate", "junni", "--hands", "3000", "--json")
    weak = json.loads(answer(*args, "--seat-policy", "2=random"))["seats"]
    assert weak["seat 2"]["wins"]["high"] < 0.2
    for seat in (0, 1, 3):
        assert weak[f"seat {seat}"]["wins"]["low"] > 0.25


# ---------------------------------------------------------------------------------------- how often
def test_how_often_prints_the_estimate(answer):
    args = ("how-often", "junni", "tricks >= 8", "--given", "trumps >= 5", "--hands", "500")
    lines = answer(*args, "--seed", "2", "--policy", "simple", "--level", "0.9").splitlines()
    expected = tl.how_often(
        *(tl.game("junni"), "tricks >= 8", None, "trumps >= 5"),
        **{"hands": 500, "seed": 2, "policies": "simple", "level": 0.9},
    )
    assert lines[0] == expected.name == "tricks >= 8 given trumps >= 5 (of seats)"
    value, method = str(expected).removeprefix(f"{expected.name}: ").split("; ")
    assert lines[1] == f"  {value})"
    assert lines[2] == f"  {method.removesuffix(')')}; ± is the standard error"
    assert "90%" in lines[1]
    assert lines[3] == "  junni players=4; simple at every seat; seed 2"


def test_how_often_as_json(answer):
    args = ("how-often", "junni", "winners > 1", "--hands", "400", "--of", "hands", "--json")
    said = json.loads(answer(*args, "--set", "players=3"))
    run = tl.simulate(tl.game("junni", players=3), 400)
    assert said["value"] == (run.hands["winners"] > 1).mean()
    assert (said["n"], said["event"]) == (400, "winners > 1")
    assert said["provenance"]["switches"] == {"players": 3}
    assert said["provenance"]["policies"] == ["careful"] * 3
    assert said["provenance"]["command"].startswith("tricklab how-often junni")


def test_how_often_without_such_deals(answer):
    args = ("how-often", "junni", "tricks > 1", "--given", "trumps > 15", "--hands", "20")
    assert "no such deals" in answer(*args)
    assert json.loads(answer(*args, "--json"))["value"] is None


def test_exact_odds(answer):
    expected = tl.exact_odds(tl.game("junni"), "trumps == 4")
    shown = answer("how-often", "junni", "trumps == 4", "--exact")
    assert shown == f"trumps == 4\n  {expected.value:.6g} (exact)\n  junni players=4\n"
    said = json.loads(answer("how-often", "junni", "trumps == 4", "--exact", "--json"))
    assert said["exact"] is True
    assert said["fraction"] == f"{expected.fraction.numerator}/{expected.fraction.denominator}"
    assert said["provenance"]["game"] == "junni"
    # No two seats can hold nine of sixteen trumps, so the chances add up.
    nine = ("how-often", "junni", "any(trumps >= 9)", "--exact", "--of", "hands", "--json")
    one = tl.exact_odds(tl.game("junni"), "trumps >= 9")
    assert json.loads(answer(*nine))["value"] == pytest.approx(4 * one.value)


# --------------------------------------------------------------------------------- show and report
def test_show_shows_the_hand_of_the_run(answer):
    shown = answer("show", "junni", "--hand", "7", "--seed", "4", "--seat-policy", "1=random")
    assert shown.endswith("hand 7; junni players=4; careful but random at seat 1; seed 4\n")
    run = tl.simulate(tl.game("junni"), 20, ["careful", "random", "careful", "careful"], seed=4)
    tricks = run.seats.loc[run.seats["hand"] == 7, "tricks"].to_list()
    row = next(line for line in shown.splitlines() if line.startswith("tricks "))
    assert [int(word) for word in row.split()[1:]] == tricks


def test_report_passes_everything_on(answer, monkeypatch):
    asked = {}

    def write_report(folder, **given):
        asked.update(given, folder=folder)
        return Path(folder) / "report.html"

    monkeypatch.setattr("tricklab.report.write_report", write_report, raising=False)
    assert answer("report") == f"report written to {Path('reports/latest/report.html')}\n"
    del asked["tell"]
    assert asked == {
        "folder": Path("reports/latest"),
        "studies": STUDIES,
        "games": None,
        "hands": None,
        "budget": "default",
        "seed": 0,
        "n_jobs": None,
        "progress": None,
    }
    args = ("--out", "mine", "--hands", "500", "--quick", "--seed", "9", "--jobs", "2")
    answer("report", *args, "--game", "kaji", "--study", "bids", "--no-progress")
    del asked["tell"]
    assert asked == {
        "folder": Path("mine"),
        "studies": ["bids"],
        "games": ["kaji"],
        "hands": 500,
        "budget": "quick",
        "seed": 9,
        "n_jobs": 2,
        "progress": False,
    }


def test_report_draws_again_what_it_has(answer, monkeypatch):
    monkeypatch.setattr("tricklab.report.write_report", lambda *_, **__: pytest.fail("played"))
    monkeypatch.setattr("tricklab.report.redraw", lambda folder: folder / "report.html")
    assert (
        answer("report", "--redraw", "--out", "r") == f"report written to {Path('r/report.html')}\n"
    )


def test_a_report_stopped_says_what_is_kept(tricklab, monkeypatch):
    def write_report(folder, **given):
        raise Stopped("stopped; kept in there")

    monkeypatch.setattr("tricklab.report.write_report", write_report)
    assert tricklab("report") == (130, "", "stopped; kept in there\n")


def test_study_answers_in_words_and_tables_and_keeps_it(answer, tmp_path):
    args = ("study", "bids", "--game", "trjamann", "--hands", "60", "--seed", "2", "--no-progress")
    shown = answer(*args, "--out", str(tmp_path / "a"))
    asked = tl.study("bids").ask(60, 2, games=["trjamann"], progress=False)
    for finding in asked.findings:
        assert finding.split(":")[0] in shown
    for row in asked.table("trjamann-3-contracts").rows:
        assert row[1].split(" (")[0] in shown
    kept = json.loads(answer(*args, "--out", str(tmp_path / "a"), "--json"))
    assert kept["findings"] == asked.findings
    assert len(kept["frames"]["contracts"]) == len(asked.frames["contracts"])
    assert kept["provenance"]["policies"] == ["simple", "careful"]


def test_a_wide_table_of_a_study_is_folded_and_nothing_of_it_cut_off(capsys):
    from tricklab.studies.answer import Table

    rows = [
        ["a label of more than thirty letters", *[f"+{k}.5 (+{k}.25 to +{k}.75)" for k in range(9)]]
    ]
    head = ["what", *[f"how much of number {k}" for k in range(9)]]
    console.put(*console._shown_tables(Table("t", "All of it", head, rows), 80))
    shown = capsys.readouterr().out
    assert max(len(line) for line in shown.splitlines()) <= 80
    assert "…" not in shown
    assert " ".join(shown.split()).count("a label of more than thirty") > 1
    for k in range(9):
        assert f"+{k}.5" in shown
        assert f"(+{k}.25 to +{k}.75)" in shown


def test_a_study_asked_wrongly(tricklab):
    for args, says in (
        (("bid",), "did you mean 'bids'"),
        (("bids", "--quick", "--full"), "do not go together"),
        (("bids", "--hands", "0"), "20 deals a cell or more, not 0"),
        (("bids", "--policy", "careful"), "two policies or more"),
    ):
        code, out, err = tricklab("study", *args)
        assert (code, out) == (2, "")
        assert says in err
        assert err.count("\n") == 1


def test_report_that_cannot_be_written(tricklab, monkeypatch):
    def write_report(folder, **given):
        raise OSError(28, "No space left on device", str(folder))

    monkeypatch.setattr("tricklab.report.write_report", write_report, raising=False)
    code, out, err = tricklab("report", "--out", "there")
    assert (code, out, err) == (1, "", "error: No space left on device: there\n")


# --------------------------------------------------------------------------------------- rendering
@pytest.mark.parametrize(
    ("policies", "said"),
    [
        (["simple"] * 4, "simple at every seat"),
        (["simple", "random", "simple"], "simple but random at seat 1"),
        (["a", "b", "b", "c"], "b but a at seat 0, c at seat 3"),
    ],
)
def test_setting_names_policies_by_seat(policies, said):
    assert console.setting(tl.game("junni"), policies, 0) == f"junni players=4; {said}; seed 0"


def test_markup_in_what_the_user_wrote_is_shown_as_it_is(answer):
    Path("odd.toml").write_text(DECK.replace('"journey"', '"[red]odd[/]"'))
    shown = answer("simulate", "junni", "--hands", "9", "--set", "deck=odd.toml")
    assert shown.startswith("junni players=4 deck=[red]odd[/]\n")


def test_column_has_the_same_decimals_throughout():
    def estimate(value, half):
        return tl.Estimate(value, half / 2, value - half, value + half, 0.95, 9, "t")

    cells = console.with_halves([estimate(12.3456, 0.0123), estimate(1, 0.4)])
    assert cells == ["12.35 ± 0.01", "1.00 ± 0.40"]
    assert console.with_halves([estimate(0.25, 0.012)], percent=True) == ["25.0 ± 1.2%"]
    assert console.with_halves([estimate(3, float("inf")), estimate(3, 0)]) == ["3.000 ± ?"] * 2
