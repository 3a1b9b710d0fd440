"""Hands of Emperor made to order, as histories: the tricks first, the deal to fit them.

``composed`` finds ten lawful tricks of which only the interesting ones are said, and ``history``
lays a whole hand around them: every seat holds what it plays, and discards what it draws.
``begun`` and ``finished`` go the other way: from a deal and first actions to a hand played out.
"""

from __future__ import annotations

import json
import random
from functools import partial

from reference import emperor as reference
from tricklab.history import result
from tricklab.replay import check_lines

DECLARER, PARTNER = 0, 2
DEALER = 3
SEATS = range(4)
TRICKS = range(1, 11)
US, THEM = (0, 2), (1, 3)
"""The declarer's side and the defenders, where seat 2 holds the card called."""

KEPT = reference.KINGS | reference.HONOURS
SUITS = reference.SUITS


def composed(
    won=(), cards=(), played=(), avoid=(), apart=(), bidders=(0,), fits=None, emperor=None, seed=0
):
    """Ten lawful tricks, each a dict of the card of each seat, in the order played.

    Parameters
    ----------
    won : dict
        Seats of which one wins a trick, by trick (from 1); others are won by anybody.
    cards : dict
        Cards of which one wins the trick, by trick.
    played : dict
        Seats of which one plays a card, and the tricks in which it may, by card: ``{"20T": ((2,),
        (1, 2))}``.
    avoid : dict
        Cards none of which wins a trick, by trick.
    apart : sequence of str
        Cards that are not played: the stock, from its top; the rest of it is any other cards but
        Kings and honours.
    bidders : sequence of int
        Seats that play an honour, so that they could bid.
    fits : callable, optional
        What else must be true of the tricks and the cards left over.
    emperor : int, optional
        The trick in which all three honours fall, and the Juggler wins (E18).
    seed : int
        Of the search.
    """
    wishes = Wishes(dict(won), dict(cards), {"20T": ((PARTNER,), TRICKS)} | dict(played), avoid)
    wishes.emperor = emperor
    rng = random.Random(seed)
    for _ in range(10_000):
        tricks = _attempt(wishes, set(apart), rng)
        if tricks is None:
            continue
        used = {card for trick in tricks for card in trick.values()}
        over = sorted(set(reference.pack()) - used - set(apart))
        if KEPT & set(over) or not all(map(partial(_has_honour, tricks), bidders)):
            continue
        rng.shuffle(over)
        # Whichever card is the fourth is seat 1's to discard under Three.
        for _ in range(len(over) if fits and not apart else 1):
            over = over[1:] + over[:1]
            if fits is None or fits(tricks, [*apart, *over]):
                return tricks, [*apart, *over]
    raise AssertionError("no such hand found")


def _has_honour(tricks, seat):
    return any(trick[seat] in reference.HONOURS for trick in tricks)


class Wishes:
    """What is asked of the tricks."""

    emperor = None

    def __init__(self, won, cards, played, avoid):
        self.won, self.cards, self.played, self.avoid = won, cards, played, dict(avoid)
        for wanted in cards.values():
            tricks = [trick for trick, each in cards.items() if set(each) == set(wanted)]
            if len(tricks) == len(wanted):
                # No card to spare.
                self.played |= {c: (self.played.get(c, (SEATS,))[0], tricks) for c in wanted}

    def may_win(self, trick, card):
        wanted = self.cards.get(trick)
        return (wanted is None or card in wanted) and card not in self.avoid.get(trick, ())

    def may_play(self, trick, seat, card):
        seats, tricks = self.played.get(card, (SEATS, TRICKS))
        return seat in seats and trick in tricks

    def due(self, trick):
        """Cards that must have been played by now, going backwards."""
        return [card for card, (_, tricks) in self.played.items() if min(tricks) == trick]


def _attempt(wishes, apart, rng):
    """Tricks from the last to the first, so that what a seat holds at each is known."""
    winners = [rng.choice(wishes.won.get(trick, SEATS)) for trick in TRICKS]
    left = [card for card in reference.pack() if card not in apart]
    later = [set() for _ in SEATS]
    out = []
    for trick in reversed(TRICKS):
        leader = winners[trick - 2] if trick > 1 else DECLARER
        tries = (
            _one_trick(wishes, trick, leader, winners[trick - 1], left, later, rng)
            for _ in range(20)
        )
        found = next(filter(None, tries), None)
        if found is None:
            return None
        for seat, card in found.items():
            later[seat].add(reference.suit(card))
            left.remove(card)
        if any(card in left for card in wishes.due(trick)):
            return None
        out.append(found)
    return out[::-1]


def _one_trick(wishes, trick, leader, winner, left, later, rng):
    """A trick that the seat wins: first its card, then what is led, then the others' cards."""
    found = {}
    wanted = [card for card in wishes.due(trick) if card in left]
    turns = [winner, leader, *SEATS]
    free = trick == wishes.emperor
    for seat in sorted(SEATS, key=turns.index):
        led = found.get(leader)
        may = [
            card
            for card in left
            if card not in found.values()
            and wishes.may_play(trick, seat, card)
            and (led is None or seat == leader or _lawful(card, later[seat], led))
            and (
                wishes.may_win(trick, card) if seat == winner else _below(card, found[winner], free)
            )
        ]
        if seat == leader != winner:
            # The winner follows or has none of it.
            may = [card for card in may if _lawful(found[winner], later[winner], card)]
        if not may:
            return None
        # Cards that must be played sooner or later are played sooner.
        found[seat] = rng.choice(
            [card for card in may if card in wanted]
            or [card for card in may if card in KEPT and rng.random() < 0.3]
            or may
        )
    trick = {(leader + place) % 4: found[(leader + place) % 4] for place in SEATS}
    return trick if reference.winning_play(list(trick.items()))[0] == winner else None


def _lawful(card, later, led):
    """Whether who holds cards of some suits later on may play a card to what is led."""
    suit, due = reference.suit(card), reference.suit(led)
    return suit == due or (due not in later and (suit == "T" or "T" not in later))


def _below(card, best, free):
    if free and card in reference.HONOURS:
        return True
    if reference.suit(card) == reference.suit(best):
        return reference.strength(card) < reference.strength(best)
    return not reference.is_trump(card)


# ------------------------------------------------------------------------------ the whole hand


def history(tricks, stock, bid="three", announced=(), said=(), call="20T", **more):
    """A history of a hand whose declarer is seat 0, and whose seats discard what they draw.

    Parameters
    ----------
    tricks : sequence of dict
        As of :func:`composed`.
    stock : sequence of str
        Six cards, from the top.
    bid : str
        The bid, reached a step at a time against seat 1, or alone.
    announced : dict
        Bonuses that a seat announces, by seat.
    said : sequence of (seat, do, claims)
        Contras, in order.
    more
        Further keys of the history.
    """
    deal = [[trick[seat] for trick in tricks] for seat in SEATS]
    actions = auction(bid)
    counts = drawn(bid, more.get("switches", {}))
    rest = list(stock)
    for seat in SEATS:
        cards, rest = rest[: counts[seat]], rest[counts[seat] :]
        if cards:
            actions.append({"seat": seat, "do": "discard", "cards": cards})
    if more.get("switches", {}).get("annul") != "never":
        actions += [{"seat": s, "do": "annul", "annul": False} for s in SEATS if may_annul(deal[s])]
    actions.append({"seat": DECLARER, "do": "call", "card": call})
    for seat in SEATS:
        names = list(dict(announced).get(seat, ()))
        actions.append({"seat": seat, "do": "announce", "bonuses": names})
    actions += [{"seat": seat, "do": do, "claims": list(claims)} for seat, do, claims in said]
    for trick in tricks:
        actions += [{"seat": seat, "do": "play", "card": card} for seat, card in trick.items()]
    head = {"format": "tricklab-hand/1", "game": "emperor", "switches": {}, "dealer": DEALER}
    return {**head, "deal": deal, "stock": list(stock), "actions": actions, **more}


BIDS = ("three", "two", "one", "without")


def auction(bid):
    """Bids of seats 0 and 1 in turn up to one that seat 0 makes or holds, actions."""
    said = [(number % 2, step) for number, step in enumerate(BIDS[: BIDS.index(bid) + 1])]
    out = []
    for number, (seat, step) in enumerate(said):
        out.append({"seat": seat, "do": "bid", "bid": step})
        if len(said) == 1:
            out += [{"seat": s, "do": "bid", "bid": "pass"} for s in (1, 2, 3)]
        elif number == 1:
            out += [{"seat": s, "do": "bid", "bid": "pass"} for s in (2, 3)]
    if len(said) > 1:
        last = said[-1][0]
        if last == 1:
            out.append({"seat": 0, "do": "bid", "bid": "hold"})
        out.append({"seat": 1, "do": "bid", "bid": "pass"})
    return out


def drawn(bid, switches=()):
    """How many cards each seat draws where seat 0 declares (E9)."""
    if bid == "without":
        return [0, 2, 2, 2]
    last = bid != "three" or dict(switches).get("last_draws_on_three", False)
    return [3 - BIDS.index(bid), 1, 1, int(last)]


def may_annul(cards):
    """Whether who holds the cards may annul (E12)."""
    return not any(map(reference.is_trump, cards)) or set(cards) >= reference.KINGS


# ------------------------------------------------------------------------- from the deal onwards


def begun(holdings, stock=(), actions=(), **more):
    """A history that stops after some actions.

    ``holdings`` says some cards of some seats, by seat, ``stock`` its top cards; whatever is left
    of the pack fills them up in its order, Swords first.
    """
    said = {seat: list(dict(holdings).get(seat, "").split()) for seat in SEATS}
    stock = list(stock.split() if isinstance(stock, str) else stock)
    named = {card for cards in said.values() for card in cards} | set(stock)
    left = [card for card in reference.pack() if card not in named]
    for cards in said.values():
        while len(cards) < 10:
            cards.append(left.pop(0))
    stock += left
    head = {"format": "tricklab-hand/1", "game": "emperor", "switches": {}, "dealer": DEALER}
    whole = {**head, "deal": list(said.values()), "stock": stock, "actions": list(actions)}
    return whole | more


def bids(*said, first=0):
    """Bids in turn from a seat on; who has passed is left out."""
    out, passed, seat = [], set(), first
    for bid in said:
        while seat in passed:
            seat = (seat + 1) % 4
        out.append({"seat": seat, "do": "bid", "bid": bid})
        if bid == "pass":
            passed.add(seat)
        seat = (seat + 1) % 4
    return out


def acted(one, seat, do, **more):
    """The history with one more action."""
    return {**one, "actions": [*one["actions"], {"seat": seat, "do": do, **more}]}


def hand_of(one):
    """The reference's hand after the actions of a history that may stop anywhere."""
    rules = reference.Rules(**one["switches"])
    doubling = one.get("doubling", 1)
    hand = reference.Hand(rules, one["deal"], one["stock"], one["dealer"], doubling)
    for action in one["actions"]:
        hand.do(action)
    return hand


def finished(one, *more, until=None):
    """The history with some more actions, and then played on somehow to the end.

    Nobody bids, annuls, announces or says what need not be said from there on, and low cards are
    discarded.  ``until`` is what is to be done next where the history shall stop.
    """
    one = {**one, "actions": [*one["actions"], *more]}
    hand = hand_of(one)
    while not hand.finished and hand.turn()[1] != until:
        seat, do = hand.turn()
        action = {"seat": seat, "do": do}
        if do == "bid":
            action["bid"] = "pass"
        elif do == "discard":
            cards = sorted(hand.may_discard(seat), key=lambda c: (reference.is_trump(c), c))
            action["cards"] = cards[: hand.discard_count(seat)]
        elif do == "annul":
            action["annul"] = False
        elif do == "call":
            action["card"] = hand.may_call()[0]
        elif do == "announce":
            action["bonuses"] = []
        elif do == "play":
            action["card"] = hand.legal()[0]["card"]
        elif hand.forced_contra() == seat and "game" not in hand.doubled:
            action["claims"] = ["game"]
        else:
            hand.silent()
            continue
        hand.do(action)
        one["actions"].append(action)
    return one


# ------------------------------------------------------------------------------------ verdicts


def fault(one):
    """Clause and action of the first fault, or None; the reference must agree."""
    (check,) = check_lines([(1, json.dumps(one).encode())])
    found = check.fault and (check.fault.clause, check.fault.action)
    assert found == verdict(one), check.in_words()
    return found


def verdict(one):
    """The first fault as the reference finds it."""
    try:
        reference.replay(one)
    except ValueError as error:
        text = str(error)
        number = text.rpartition("(action ")[2].rstrip(")") if "(action " in text else None
        return text.partition(":")[0], None if number is None else int(number)
    return None


def replayed(one):
    """The finished table of a history without a fault, its score, and a row of both."""
    (check,) = check_lines([(1, json.dumps(one).encode())])
    assert check.fault is None, check.in_words()
    return check.table, check.game.score(check.table), check.row


def outcome(one):
    """The result of a history without a fault, from the package."""
    found = result(*replayed(one))
    assert found == reference.replay(one).result()
    return found
