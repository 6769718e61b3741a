"""Sentences as notes have them, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

SUBJECTS = st.sampled_from(["", "User ", "The user ", "User usually ", "Wife ", "Caroline "])
ATTITUDES = st.sampled_from([
    "prefers", "likes", "loves", "does not like", "avoids", "never wants", "hates", "does not mind", "needs", "has",
])  # fmt: skip
THINGS = st.sampled_from([
    "aisle seats", "window seats", "dark mode", "light mode", "high floors", "low floors", "morning flights",
    "evening flights", "tea over coffee", "coffee over tea", "coffee", "a red car", "2 cats", "3 cats", "jazz",
    "vegetarian meals", "vegan meals", "concise answers", "detailed answers", "aisle seats and jazz", "quiet hotels",
    "to compare options side by side", "side-by-side comparisons",
])  # fmt: skip
TAILS = st.sampled_from(
    ["", "", ".", " on long flights.", " when traveling.", ", but not opera.", ". Likes rain."]
)
FIXED = st.sampled_from([
    "Lives in Paris.", "Lives in Berlin.", "No longer lives in Paris", "Vegetarian.", "Is vegan", "Name is Ann",
    "Mag Pilze", "Mag keine Pilze", "Aime le café", "N'aime pas le café", "喜欢靠窗座位", "不喜欢靠窗座位",
    "窓側の席が好き", "通路側の席が好き",
    "Prefiere pasillo", "No le gusta el vino", "Le gusta el vino", "🍣", "Works at Acme",
    "This trip only: prefers a window seat", "Today wants tea", "Budget is 2000", "Budget is 3000", "the user",
])  # fmt: skip


def _sentence(subject, attitude, thing, tail):
    said = f"{subject}{attitude} {thing}{tail}"
    return said[:1].upper() + said[1:]


SENTENCES = st.builds(_sentence, SUBJECTS, ATTITUDES, THINGS, TAILS) | FIXED
