# ruff: noqa: E501  # what people say is a table, a line a fact
"""Talks between friends, made up from tables and a seed, with questions that use other words than the answer.

python bench/corpus.py [--conversations 10] [--seed 7] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
from datetime import UTC, datetime, timedelta

from bethink.evals.cases import Conversation, Question, Turn, question, turn

NAMES = (
    "Ada",
    "Bruno",
    "Clara",
    "Dmitri",
    "Elif",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Katya",
    "Liam",
    "Mei",
    "Nils",
    "Olga",
    "Pavel",
    "Quentin",
    "Rosa",
    "Sami",
    "Tova",
)

# what somebody tells; how it is asked about in other words, and with words of it; what it may be about
FACTS = """
I finally signed the lease for a flat in {x}.|Where is {who}'s new apartment?|Where is the flat that {who} signed a lease for?|Leith;Trastevere;Kreuzberg;Gracia;Nørrebro;Kadıköy
My {x} had puppies on Sunday night.|Which animal of {who}'s gave birth?|Which dog of {who} had puppies?|dachshund;collie;spaniel;greyhound;beagle;terrier
The doctor says I should stay away from {x} for good.|What food must {who} avoid on medical advice?|What did the doctor tell {who} to stay away from?|walnuts;shellfish;gluten;strawberries;sesame;celery
I have been teaching myself {x} with an old book from the attic.|What is {who} learning alone?|What is {who} learning from an old book?|bookbinding;shorthand;astronomy;lacemaking;Esperanto;taxidermy
We drove all the way to {x} just for one concert.|How far did {who} travel to hear music?|To which concert did {who} drive all the way?|Ghent;Trieste;Malmö;Porto;Lublin;Graz
My thesis was accepted, it is about {x}.|What did {who} do research on?|What is the thesis of {who} about?|tidal marshes;road salt;medieval tolls;bee viruses;tram networks;glacier dust
I sold the {x} to pay for the dentist.|What did {who} part with because of a dental bill?|What did {who} sell to pay the dentist?|trumpet;kayak;typewriter;telescope;moped;loom
My grandmother left me her {x}.|What did {who} inherit?|What did {who} get from a grandmother?|vineyard;accordion;recipe notebooks;stamp albums;beach hut;pocket watch
I start as a {x} on the first of next month.|Which job is {who} about to begin?|As what does {who} start on the first of the month?|ferry steward;proofreader;beekeeper;locksmith;court clerk;glazier
We called the baby {x} in the end.|Which name did {who} choose for the child?|What is the baby of {who} called?|Linnea;Matteo;Soraya;Casper;Ottilie;Ruben
I fell off a ladder and broke my {x}.|Which bone did {who} injure?|What did {who} break by falling off a ladder?|collarbone;wrist;ankle;elbow;little finger;shin
I have given up {x} since New Year and sleep much better.|What did {who} stop consuming?|What has {who} given up since New Year?|coffee;sugar;cigarettes;wine;crisps;cola
Our choir rehearses in the {x} now.|Where does {who} sing with others?|Where does the choir of {who} rehearse?|fire station;old dairy;library cellar;boathouse;town hall;observatory
I bought a second-hand {x} that only starts in second gear.|What vehicle did {who} get?|What second-hand thing did {who} buy that starts in second gear?|Vespa;Lada;camper van;tractor;hearse;milk float
My sister is marrying a {x} from Oslo.|What does the future brother-in-law of {who} do for a living?|Whom is the sister of {who} marrying?|diver;violin maker;dentist;pilot;shepherd;chess trainer
The cellar flooded and ruined my {x}.|What did {who} lose to water?|What of {who}'s was ruined in the flooded cellar?|comics;wedding photographs;records;tax papers;wine;skis
I am training for the {x} in autumn.|Which competition does {who} prepare for?|What is {who} training for in autumn?|river swim;hill marathon;chess open;rowing regatta;bake-off;long-distance ride
I painted the kitchen {x}, and now nobody wants to eat there.|Which colour does {who} cook in?|In which colour did {who} paint the kitchen?|aubergine;mustard;petrol blue;salmon;olive;charcoal
Our neighbour's {x} wakes me at five each morning.|What disturbs {who}'s sleep?|What of the neighbour's wakes {who} at five?|rooster;leaf blower;saxophone;parrot;alarm system;delivery van
I keep my passport in the {x} so that I never forget where it is.|Where does {who} hide travel papers?|Where does {who} keep the passport?|flour tin;piano stool;freezer;sewing basket;hat box;bread bin
I won the {x} at the village fair.|What prize did {who} receive?|What did {who} win at the village fair?|giant pumpkin;ham;goose;lawn mower;quilt;wheelbarrow
I lent my {x} to Tobias and never saw it again.|What did {who} not get back from a borrower?|What did {who} lend to Tobias?|drill;tent;bicycle pump;raclette grill;projector;fishing rod
On Thursdays I volunteer at the {x}.|Where does {who} help without pay?|Where does {who} volunteer on Thursdays?|hospice;animal shelter;repair café;night school;food bank;seamen's mission
I am afraid of {x}, even on television.|What is {who} scared of?|What is {who} afraid of, even on television?|moths;escalators;thunder;clowns;deep water;geese
"""
SEVERAL = """
We spent a week in {x} and it rained every day.|Which places did {who} visit on holiday?||Bergen;Galway;Bilbao;Tórshavn;Hamburg;Cork
I am reading the one about {x} at the moment.|What subjects were the books that {who} read about?||salt;whales;the plague;cod;spies;cathedrals
Last night I cooked {x} for eight people.|Which dishes did {who} prepare for guests?||goulash;paella;pierogi;tagine;lasagne;ramen
I signed up for a course in {x}.|What lessons does {who} take?||welding;yoga;Danish;ceramics;first aid;fencing
"""
CHAT = """
How was your week?|Busy, I hardly sat down.
Did you see the match?|I fell asleep before half-time.
It is so cold here that the windows freeze inside.|Put a blanket in front of the door.
Shall we talk again on Sunday?|Sunday is fine, but not before ten.
I cannot believe it is already that late.|Time flies when you do nothing.
You sound tired.|I am, the children were up all night.
What did you have for lunch?|Only bread and cheese, standing up.
The trains are a disaster again.|They always are when it matters.
I miss the sea.|Come and visit, it is still here.
Anything new at work?|The same people and the same coffee.
Do you still have my umbrella?|I have three, and none of them is mine.
My phone died in the middle of it.|I thought you had hung up on me.
That film was far too long.|I liked the last half hour.
I should call my mother.|You said that last time as well.
We should plan something for spring.|As long as it is nowhere with a queue.
"""
REPLIES = (
    "Really? Tell me more.",
    "You must be joking.",
    "That is big news.",
    "I would never have guessed.",
    "And how do you feel about it?",
    "Good for you!",
    "Oh no. I hope it turns out well.",
    "I had no idea.",
)


def table(text: str) -> list[list[str]]:
    return [line.split("|") for line in text.strip().splitlines()]


def made_up(conversations: int = 6, seed: int = 7) -> list[Conversation]:
    """Return conversations of 264 turns in twelve sessions, with about a hundred questions each."""
    return [_conversation(number, random.Random(f"{seed} {number}")) for number in range(conversations)]


def _conversation(number: int, chance: random.Random) -> Conversation:
    pair = chance.sample(NAMES, 2)
    told: list[tuple[int, str, str, list[tuple[str, str]]]] = []  # day, who, statement, kinds and questions
    for facts, times in ((table(FACTS), 1), (table(SEVERAL), 3)):
        for statement, far, near, values in facts:
            drawn = chance.sample(values.split(";"), 2 * times)
            for place, who in enumerate(pair):
                asked = [("several answers" if times > 1 else "in other words", far.format(who=who))]
                asked += [("in the same words", near.format(who=who))] if near else []
                mine = drawn[place * times : (place + 1) * times]
                told += [(chance.randrange(12), who, statement.format(x=x), asked) for x in mine]
    turns: list[Turn] = []
    gold: dict[tuple[str, str], list[str]] = {}
    first = datetime(2024, 1, 6, 18, tzinfo=UTC) + timedelta(days=number)
    for day in range(12):
        today = [each[1:] for each in told if each[0] == day]
        _session(day, first + timedelta(days=23 * day), pair, today, chance, turns, gold)
    questions: list[Question | None] = [
        question(text, kind, ids, turns) for (kind, text), ids in gold.items()
    ]
    return Conversation(f"talk {number}", tuple(turns), tuple(each for each in questions if each))


def _session(
    day: int,
    at: datetime,
    pair: list[str],
    told: list[tuple[str, str, list[tuple[str, str]]]],
    chance: random.Random,
    turns: list[Turn],
    gold: dict[tuple[str, str], list[str]],
) -> None:
    session = f"session {day + 1}"
    parts: list[tuple[str, str, list[tuple[str, str]]]] = []  # who, text, what is asked about it
    pieces = [[told_one] for told_one in told] + [[None] for _ in range(5)]
    for (piece,) in chance.sample(pieces, len(pieces)):
        if piece is None:
            opening, answer = chance.choice(table(CHAT))
            who = chance.randrange(2)
            parts += [(pair[who], opening, []), (pair[1 - who], answer, [])]
        else:
            who, statement, asked = piece
            other = pair[1 - pair.index(who)]
            parts += [(who, statement, asked), (other, chance.choice(REPLIES), [])]
    for seq, (who, text, asked) in enumerate(parts, start=1):
        role = "user" if who == pair[0] else "assistant"
        turns.append(turn(f"{day + 1}:{seq}", session, seq, text, role=role, at=at, speaker=who))
        for each in asked:
            gold.setdefault(each, []).append(turns[-1].id)


WORDS = ("amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "island", "jasper", "kettle", "lantern", "meadow", "nettle", "orchid", "pebble", "quarry", "raven", "saffron", "thistle")  # fmt: skip
ENDS = ("", "s", "ing", "field", "berg", "ton", "wood", "well", "ford", "hurst")


def sentences(count: int, seed: int = 7) -> list[str]:
    """Return sentences for measuring speed and size: 15 words each, no two alike."""
    chance = random.Random(seed)
    nouns = [f"{word}{end}" for word in WORDS for end in ENDS]
    verbs = ("like", "saw", "visited", "bought", "remember", "lost", "painted", "sold")
    return [
        f"I {chance.choice(verbs)} the {chance.choice(nouns)} {chance.choice(nouns)} near {chance.choice(nouns)} "
        f"with {chance.choice(nouns)} and {chance.choice(nouns)} on my way to {chance.choice(nouns)} {number}"
        for number in range(count)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--conversations", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="all of it; else only how much there is")
    given = parser.parse_args()
    for one in made_up(given.conversations, given.seed):
        if given.json:
            said = [
                {"id": each.id, "session": each.session, "speaker": each.item.speaker, **each.item.body}
                for each in one.turns
            ]
            asked = [
                {"question": each.text, "category": each.category, "gold": sorted(each.gold)}
                for each in one.questions
            ]
            print(json.dumps({"id": one.id, "turns": said, "questions": asked}, ensure_ascii=False))
        else:
            print(f"{one.id}: {len(one.turns)} turns, {len(one.questions)} questions")


if __name__ == "__main__":
    main()
