"""What somebody wants for this time only is known in that session, and in no other."""

import pytest

from bethink import Memory


@pytest.mark.parametrize(
    "said",
    [
        "This time, I like to have a window seat. I really want to sleep.",
        "This time a window seat, please.",
        "Diesmal bitte ein Fensterplatz.",
        "Esta vez prefiero ventanilla.",
        "Desta vez quero um lugar à janela.",
        "Questa volta vorrei un posto al finestrino.",
    ],
)
def test_a_wish_for_this_time_is_the_sessions_alone(said):
    with Memory(":memory:", embedder=None) as memory:
        scope = memory.scope(user="alice")
        scope.session("trip").append([{"role": "user", "content": said}])
        kept = scope.distill("trip").kept
        assert kept
        assert not any(each.durable for each in kept)
        assert {note.text for note in scope.notes(session="trip")} == {each.text for each in kept}
        scope.consolidate("trip")
        assert list(scope.notes()) == []
