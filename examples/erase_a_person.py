"""Hand over all that is kept of a person, destroy it, and keep the receipt: what a privacy request (GDPR) asks for.

python examples/erase_a_person.py [FOLDER]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bethink import Memory, Receipt


def export(memory: Memory, user: str) -> dict[str, object]:
    """Return everything of a user, by the namespace of each agent that knows them."""
    hers = [scope for scope in memory.scopes() if scope.namespace.user == user]
    return {str(scope.namespace): scope.export() for scope in hers}


def erase(memory: Memory, user: str, folder: Path) -> Receipt:
    """Write the export and the receipt into a folder; what is left is in the receipt."""
    (folder / f"{user}.json").write_text(json.dumps(export(memory, user)), encoding="utf-8")
    receipt = memory.erase(user=user)
    (folder / f"{user}-receipt.json").write_text(receipt.to_json(), encoding="utf-8")
    return receipt


def main(folder: str = ".") -> None:
    place = Path(folder)
    with Memory(str(place / "erase.db")) as memory:
        for agent in ("travel", "shop"):
            alice = memory.scope(agent=agent, user="alice")
            alice.remember("Lives in Oslo.")
            alice.session("chat").append([{"role": "user", "content": "I live in Oslo."}])
        receipt = erase(memory, "alice", place)
        print(f"{receipt.subject} erased, {receipt.remaining} remaining")
        print(memory.scope(agent="travel", user="alice").recall("Where does she live?"))


if __name__ == "__main__":
    main(*sys.argv[1:])
