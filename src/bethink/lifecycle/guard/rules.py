"""The rules guard: detect and mask secrets, personal data (PII) and prompt injection by patterns and check digits."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.folding import Folded
from bethink.lifecycle.guard.hidden_text import ENCODED, find_hidden
from bethink.lifecycle.guard.masked_clauses import meaningful_remainder
from bethink.lifecycle.guard.masking import LABELS, placeholder, replace_findings, surroundings
from bethink.lifecycle.guard.quarantine_policy import GRAVITY, Policy
from bethink.lifecycle.guard.secrets.api_keys import KEYS, PRIVATE_KEYS
from bethink.lifecycle.guard.secrets.bank_accounts import ACCOUNTS
from bethink.lifecycle.guard.secrets.booking_references import REFERENCES
from bethink.lifecycle.guard.secrets.dates_of_birth import BIRTHDAYS
from bethink.lifecycle.guard.secrets.emails_and_phones import EMAILS, phones
from bethink.lifecycle.guard.secrets.identity_numbers import IDENTITIES
from bethink.lifecycle.guard.secrets.named_secrets import LABELLED
from bethink.lifecycle.guard.secrets.passphrases import PASSPHRASES
from bethink.lifecycle.guard.secrets.passwords import PASSWORDS
from bethink.lifecycle.guard.secrets.payment_cards import CARDS
from bethink.lifecycle.guard.secrets.pins_and_one_time_codes import CODES
from bethink.lifecycle.guard.secrets.spelled_out_codes import SPELLED
from bethink.lifecycle.guard.secrets.street_addresses import ADDRESSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bethink.lifecycle.guard.patterns import Finder, FoundSpan
    from bethink.lifecycle.values import Action, Finding, Stage, Verdict
    from bethink.notes.values import Source

_FINDERS: Final = (
    PRIVATE_KEYS,
    KEYS,
    CARDS,
    ACCOUNTS,
    IDENTITIES,
    PASSWORDS,
    PASSPHRASES,
    CODES,
    LABELLED,
    SPELLED,
    BIRTHDAYS,
    REFERENCES,
    ADDRESSES,
    EMAILS,
    ENCODED,
)
_PASSES: Final = 8  #: what is left after so many rounds of masking is not worth a ninth
_MARGIN: Final = 200  #: characters at the end of a part of a text, where nothing is seen whole
_MASKED: Final = frozenset({"redact", "block"})


class Finders:
    """Finders in their order. A text is shown to those of which it has an anchor, and digits where they need some."""

    def __init__(self, finders: Iterable[Finder]) -> None:
        self._all = tuple(finders)
        #: by a piece of an anchor: the finders that want a text with it, each with the digits that it needs
        self._by_piece: dict[str, set[tuple[int, int]]] = {}
        self._anchorless: set[tuple[int, int]] = set()
        for place, each in enumerate(self._all):
            for pattern in each.patterns:
                for piece in pattern.pieces:
                    self._by_piece.setdefault(piece, set()).add((place, pattern.digits))
                if not pattern.pieces:
                    self._anchorless.add((place, pattern.digits))

    def find(self, folded: Folded) -> Iterator[FoundSpan]:
        """Find what they find."""
        wanted = self._anchorless.union(
            *map(self._by_piece.__getitem__, self._by_piece.keys() & folded.anchors)
        )
        for place in sorted({place for place, digits in wanted if digits <= folded.digits}):
            yield from self._all[place].find(folded)


class RulesGuard:
    """The guard without a model: it always says the same of the same text, in well under a millisecond."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy()
        self._actions: Mapping[str, Action] = {each: self.policy.action(each) for each in LABELS}
        self._masked = frozenset(each for each in LABELS if self._actions[each] in _MASKED)
        finders = (*_FINDERS, phones(self.policy.regions))
        self._all = Finders(finders)
        self._masking = Finders(each for each in finders if each.category in {None, *self._masked})

    def judge(self, text: str, *, source: Source, stage: Stage) -> Verdict:
        """Say whether a text may be remembered or shown, and what to keep of it.

        Args:
            text: what somebody wants remembered, or what is about to be injected.
            source: who said it; orders to the assistant are believed from nobody but the user.
            stage: where in the lifecycle it is judged. Size is limited before a note is stored, not after.
        """
        from bethink.lifecycle.values import Finding, Verdict  # masking a clean text needs neither

        if (
            stage != "injection"
            and len(text) > self.policy.most_characters
            and self._actions["size"] != "allow"
        ):
            found = Finding(category="size", start=0, end=len(text), action="block")
            return Verdict(action="block", findings=(found,), text="")
        findings = self._read(text, source)
        if not findings:
            return Verdict(action="allow", findings=(), text=text)
        masked = tuple(each for each in findings if each.action in _MASKED)
        kept = self._kept(text, masked)
        if not kept:
            findings = tuple(_blocked(each) if each.action == "redact" else each for each in findings)
        action = _gravest(findings)
        return Verdict(action=action, findings=findings, text="" if action == "block" else kept)

    def judge_keywords(self, keywords: Iterable[str], *, source: Source, stage: Stage) -> dict[str, Verdict]:
        """Judge each keyword; a keyword with personal data or an instruction is blocked.

        If a secret is split over several keywords, all of them are blocked.
        """
        from bethink.lifecycle.values import Finding, Verdict

        words = tuple(keywords)
        if not words:
            return {}
        whole = self.judge(" ".join(words), source=source, stage=stage)
        split = not any(self._read(word, source) for word in words) and GRAVITY[whole.action] > 0
        verdicts: dict[str, Verdict] = {}
        for word in words:
            findings = tuple(map(_blocked, self._read(word, source)))
            if split:
                findings = tuple(
                    Finding(category=category, start=0, end=len(word), action="block")
                    for category in whole.reasons
                )
            action: Action = "block" if findings else "allow"
            verdicts[word] = Verdict(action=action, findings=findings, text="" if findings else word)
        return verdicts

    def mask(self, text: str) -> str:
        """Return a text with what is redacted or blocked put out of sight: "[card removed]"."""
        masked = self._to_mask(text)
        return self._mask(text, masked) if masked else text

    def _kept(self, text: str, masked: Sequence[Finding]) -> str:
        """Return what says something of a text with findings masked."""
        if not masked:
            return text
        whole = self._mask(text, masked)
        kept = meaningful_remainder(whole, least=self.policy.least_words)
        return kept if kept == whole else self.mask(kept)

    def _mask(self, text: str, masked: Sequence[Finding]) -> str:
        """Mask findings, and what only shows itself when they are gone."""
        for _ in range(_PASSES):
            text, places = replace_findings(text, masked)
            masked = [
                finding
                for begin, end in surroundings(places, len(text))
                for finding in self._shown(text, begin, end)
            ]
            if not masked:
                return text
        return placeholder("size")

    def _shown(self, text: str, begin: int, end: int) -> Iterator[Finding]:
        """Find what is to be masked in a part of a text, away from where it was cut."""
        first = begin + _MARGIN if begin else 0
        last = end - _MARGIN if end < len(text) else end
        for each in self._to_mask(text[begin:end]):
            if first <= begin + each.start and begin + each.end <= last:
                yield replace(each, start=begin + each.start, end=begin + each.end)

    def _to_mask(self, text: str) -> tuple[Finding, ...]:
        """Return what is masked in a text; what is only kept for review or allowed is not looked for."""
        masked = self._masked
        folded = Folded(text)
        found = list(self._masking.find(folded))
        if "instruction" in masked:
            from bethink.lifecycle.guard.prompt_injection.finding import find_instructions

            found += find_instructions(folded, "user")
        findings = [self._finding(each, folded) for each in found if each.category in masked]
        if "hidden_text" in masked:
            findings += self._hidden(text)
        return _outermost(findings, len(text)) if findings else ()

    def _read(self, text: str, source: Source) -> tuple[Finding, ...]:
        """Return what is found in a text of a source."""
        from bethink.lifecycle.guard.prompt_injection.finding import find_instructions

        folded = Folded(text)
        found = chain(self._all.find(folded), find_instructions(folded, source))
        findings = [self._finding(each, folded) for each in found]
        findings += self._hidden(text)
        return _outermost(findings, len(text)) if findings else ()

    def _finding(self, found: FoundSpan, folded: Folded) -> Finding:
        return self._at(found.category, *folded.span(found.start, found.end))

    def _hidden(self, text: str) -> list[Finding]:
        if text.isascii():
            return []
        return [self._at("hidden_text", start, end) for start, end in find_hidden(text)]

    def _at(self, category: str, start: int, end: int) -> Finding:
        from bethink.lifecycle.values import Finding

        return Finding(category=category, start=start, end=end, action=self._actions[category])


def _gravest(findings: Iterable[Finding]) -> Action:
    gravest: Action = "allow"
    for each in findings:
        if GRAVITY[each.action] > GRAVITY[gravest]:
            gravest = each.action
    return gravest


def _blocked(finding: Finding) -> Finding:
    return replace(finding, action="block")


def _outermost(findings: Sequence[Finding], length: int) -> tuple[Finding, ...]:
    """Return the findings of a text in order, without those that lie within graver or longer ones."""
    if len(findings) < 2:  # noqa: PLR2004
        return tuple(findings)
    covered = bytearray(length)
    kept: list[Finding] = []
    for each in sorted(findings, key=_weight):
        if 0 in covered[each.start : each.end]:
            covered[each.start : each.end] = b"\1" * (each.end - each.start)
            kept.append(each)
    return tuple(sorted(kept, key=attrgetter("start", "end")))


def _weight(finding: Finding) -> tuple[int, int, int]:
    return -GRAVITY[finding.action], finding.start - finding.end, finding.start
