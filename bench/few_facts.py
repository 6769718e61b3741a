"""People of whom eight notes are known, with ten questions in other words each, and ten that nothing answers.

The first line of a question is what it asks, the second the place of the note that answers it, counted from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of somebody, and what is asked."""

    notes: tuple[str, ...]
    asked: tuple[tuple[str, int], ...]  #: a question, and the note that answers it
    unanswered: tuple[str, ...]


def _person(notes: str, asked: str, unanswered: str) -> Person:
    questions = (line.rpartition("|") for line in asked.strip().splitlines())
    return Person(
        tuple(notes.strip().splitlines()),
        tuple((text, int(place)) for text, _, place in questions),
        tuple(unanswered.strip().splitlines()),
    )


PEOPLE: Final = (
    _person(
        """
Allergic to shellfish.
Lives in Porto with two flatmates.
Works as a data analyst at a shipping company.
Has a cat named Olive.
Drives an old Saab.
Vegetarian except on holidays.
Plays the cello on Thursdays.
Partner is called Miguel.
""",
        """
Which food is dangerous for me?|0
Where is my home?|1
Who do I share my apartment with?|1
What do I do for a living?|2
What is my pet called?|3
Which car do I own?|4
Do I eat meat?|5
What should be left out of dinner for me?|5
Which musical instrument do I practise?|6
What is my boyfriend's name?|7
""",
        """
What is the boiling point of nitrogen?
How many goals were scored last night?
Which visa do I need for Japan?
What is the price of copper?
How do I reverse a linked list?
When does the library close?
Who wrote the Odyssey?
What is my shoe size?
Which medicine did the vet prescribe for fleas?
How tall is the tower?
""",
    ),
    _person(
        """
The user's daughter Lina is six and goes to the school on Mill Street.
The user is writing a novel about lighthouse keepers.
The user prefers answers in short bullet points.
The user's mother had a hip replacement in March.
The user runs a bakery that opens at five in the morning.
The user is learning Finnish with an app.
The user dislikes flying and takes trains instead.
The user's laptop is a ThinkPad with Debian.
""",
        """
How old is my child?|0
Where does my girl get her education?|0
What is my book about?|1
How should replies be formatted?|2
Who had surgery this spring?|3
When do I have to get up for the shop?|4
What business do I own?|4
Which language am I studying?|5
How do I like to travel?|6
What operating system does my computer have?|7
""",
        """
What is the tallest mountain in Peru?
Which wine goes with trout?
How do I knit a scarf?
What did the plumber charge?
Is there a pharmacy nearby?
Who is the president of Chile?
What is my blood type?
How long do tortoises live?
Which paint dries fastest?
When was the telescope invented?
""",
    ),
    _person(
        """
Deploys go out on Tuesdays and never on Fridays.
The API gateway listens on port 8443.
Staging database is Postgres 15 on host lark.
Dana owns the billing service.
We chose Kafka over RabbitMQ because of replay.
Unit tests must finish within ninety seconds.
Secrets are kept in Vault, not in environment files.
The mobile app is written in Kotlin and Swift.
""",
        """
Which day of the week do we release?|0
When must nothing be rolled out?|0
Where does the gateway accept connections?|1
What DBMS does the test environment use?|2
Who is responsible for invoices and payments?|3
Why did we not take the other message broker?|4
Which message queue do we use?|4
How fast does the test suite have to be?|5
Where do we store passwords and keys?|6
Which programming languages is the phone client made with?|7
""",
        """
What is the best pizza in town?
How do I prune roses?
Which film won the award?
Who is the landlord?
What is the wifi password of the hotel?
How far is the moon?
When is the marathon?
Which vaccine do I need?
What did grandma cook?
How much is a train ticket?
""",
    ),
    _person(
        """
Ana takes metformin twice a day.
Ana is retired and used to teach chemistry.
Her son Tomás lives in Toronto.
She swims at the municipal pool every morning.
Ana cannot stand coriander.
Her favourite author is Saramago.
Ana is saving for a trip to the Azores.
She banks with Caixa and hates the app.
""",
        """
What medication is she on?|0
How often does she have her pills?|0
What was her profession?|1
Which subject did she give lessons in?|1
Where did her boy move to?|2
What exercise does she do?|3
Which herb should stay out of the soup?|4
Whose novels does she love?|5
Where does she want to go on vacation?|6
Which financial institution is she a customer of?|7
""",
        """
How do I compile the kernel?
What is the offside rule?
Which bus goes to the airport?
What are the opening hours of the museum?
Who painted the ceiling?
How many calories are in rice?
What is the serial number of the boiler?
Which team won the derby?
How do I change a tyre?
When is the tax deadline?
""",
    ),
)
