# ruff: noqa: E501  # the chat is a table, a line a topic
"""A chat with long answers, made up by hand: whose questions avoid the words of what answers them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from bethink.evals.cases import Conversation, Question, Turn, question, turn

# topic; what the user says; how it is asked about; what the assistant's answer has in it; how that is asked about
LONG_CHAT = """
garden|My tomatoes keep getting yellow leaves at the bottom.|What is wrong with the vegetables I grow?|Spray a spoon of baking soda in a litre of water every ten days.|What mixture did you tell me to put on the plants?
sleep|I wake at three most nights and scroll until five.|What do I do when I cannot get back to bed rest?|Leave the telephone in the hallway inside a drawer.|Where should my mobile stay overnight?
running|My knee aches after ten kilometres on asphalt.|Which joint hurts when I jog?|Shorten the stride until you count one hundred and seventy steps a minute.|What cadence did you recommend?
guitar|I bought a used nylon string instrument from my neighbour.|Who sold me the thing I play music on?|Practise the chord change from F to C with a metronome at sixty beats.|At what tempo should I rehearse the switch?
tax|I forgot to declare the rent from the attic flat.|What income did I leave out of my return?|File an amended declaration before the end of September.|When is the deadline for the correction?
dog|Our terrier barks whenever the doorbell rings.|What sets off the pet's noise?|Throw a treat onto his blanket each time someone knocks.|How do I reward the animal when visitors arrive?
bread|The sourdough came out flat and gummy again.|What went wrong with my baking?|Let the dough rest at twenty six degrees until it has doubled.|How warm should it be while it rises?
spanish|I mix up the two past tenses all the time.|Which grammar do I find confusing?|Write five sentences about yesterday every evening before dinner.|What homework did you give me for the language?
camera|The pictures of my daughter indoors are blurry.|Why am I unhappy with my photography?|Set the shutter to one two-hundredth and let the sensitivity float.|Which exposure time should I choose?
bike|The chain slips when I climb the hill to work.|What is the matter with my two-wheeler?|Replace the cassette together with the chain.|Which parts need to be swapped?
budget|We spend six hundred a month on takeaway food.|How much do we pay for restaurant delivery?|Move the grocery money to a separate account on payday.|What should happen to the household funds when the salary comes in?
interview|I freeze when they ask about my weaknesses.|Which question makes me nervous in job talks?|Tell the story of the delayed warehouse project and what changed.|Which anecdote should I use?
flight|I get sick on small propeller aircraft.|What kind of plane makes me unwell?|Choose a seat over the wing and look at the horizon.|Where ought I to sit when I travel by air?
paint|The bathroom ceiling peels each winter.|What is coming off in the wet room?|Use a primer against mould before the second coat.|What goes on first so that the fungus stays away?
chess|I always lose endgames with rooks.|In which part of the board game am I weak?|Study the Lucena position until you can win it blindfold.|Which pattern did you want me to learn by heart?
baby|Our son refuses the bottle since Tuesday.|What will the infant not drink from?|Offer the milk in a small open cup at room temperature.|How can we give him his feed instead?
router|The internet drops in the back bedroom.|Where in the house is the connection poor?|Put the second access point on channel eleven near the stairs.|Which frequency slot should the extra device use?
wedding|My sister wants ninety guests but we can pay for fifty.|What do I disagree about with my sibling?|Invite the colleagues to a garden party in June instead.|What is the alternative for people from work?
allergy|Walnuts make my tongue swell.|What food am I sensitive to?|Carry two auto injectors and show a friend how they work.|What must I have on me in an emergency?
thesis|My supervisor thinks the third chapter is too descriptive.|What criticism did the professor have?|Open each section with the claim it defends.|How should the parts begin?
car|The dashboard shows an orange engine light since the car wash.|What warning appeared in my vehicle?|Dry the ignition coils and read the code with a cheap scanner.|What tool tells me the fault?
piano|The upstairs neighbours complain about my evening practice.|Who is annoyed by my playing?|Hang a thick rug behind the instrument and stop at eight.|What should I put up to dampen the sound?
move|We leave Ghent for Porto in the spring.|Which city are we relocating to?|Sell the wardrobe and ship only the books by sea.|Which belongings should travel by boat?
knitting|The sleeves of the cardigan turned out four centimetres too long.|What is wrong with the garment I made?|Unravel to the elbow and decrease every sixth row.|How often do I remove stitches?
"""
FILLER = """
There are several things worth keeping in mind about {t}, and most people discover them only after a while.
It helps to look at {t} from a distance first, and then to go through the details one at a time.
Many guides on {t} disagree with each other, so treat every rule as a starting point rather than a law.
If you have little time, a small step every day does more for {t} than a big effort once a month.
Keep a short record of what you tried, because memory is kinder than the facts.
A good question to ask yourself is what would have to change for {t} to feel easy.
Do not worry if the first attempt fails; that is how everybody learns.
You might also talk with somebody who has been through the same, since experience saves a lot of trouble.
Cost is rarely the main problem with {t}; patience usually is.
On the other hand, there are situations in which doing nothing is the best choice for now.
Make a list, put the important points on top, and cross them out as you go.
Some people like to plan everything about {t} in advance, others prefer to find out along the way.
Remember to take breaks, and to be realistic about what can be done in a week.
In general, quality matters more than quantity, and that is true of {t} as well.
If things get worse in spite of all this, it is wise to ask a professional for advice.
Finally, let me know how it goes, and we can adjust the plan for {t} together.
"""


def long_chat() -> list[Conversation]:
    """Make up a chat in which every third thing said is short, and the rest is hundreds of words."""
    chance = np.random.default_rng(7)
    filler = FILLER.strip().splitlines()
    turns: list[Turn] = []
    questions: list[Question | None] = []

    def say(day: int, role: str, text: str) -> str:
        session = f"s{day}"
        number = sum(one.session == session for one in turns) + 1
        at = datetime(2024, 1, 1, 9, tzinfo=UTC) + timedelta(days=day)
        turns.append(turn(f"D{day}:{number}", session, len(turns), text, role=role, at=at))
        return turns[-1].id

    for day, line in enumerate(LONG_CHAT.strip().splitlines(), start=1):
        topic, told, asked, advice, asked_again = line.split("|")
        sentences = [str(one).format(t=topic) for one in chance.permutation(filler)]
        for size in (int(chance.integers(8, 17)), int(chance.integers(8, 17))):
            if size % 2:
                gold = say(day, "user", f"I need some help with {topic}. {told} What would you do?")
            else:
                gold = say(day, "user", told)
            answer = [*sentences[: size // 2], advice, *sentences[size // 2 : size]]
            if turns and gold.endswith(":1"):
                long = say(day, "assistant", " ".join(answer))
                questions += [
                    question(asked, "told", [gold], turns),
                    question(asked_again, "advised", [long], turns),
                    question(f"About {topic}: {asked}", "told, topic named", [gold], turns),
                    question(f"About {topic}: {asked_again}", "advised, topic named", [long], turns),
                ]
            else:
                say(day, "assistant", " ".join(sentences[:size]))
            told = f"Thanks. And what if that does not work out with {topic}?"
    return [Conversation("long", tuple(turns), tuple(one for one in questions if one is not None))]
