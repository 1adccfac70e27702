"""Stories cut at their branches: every word of every way through is there, and the labels can be told apart."""

from hypothesis import given
from hypothesis import strategies as st
from told_worlds import by_name, lines, telling, tellings, told_as_lines, walks

from arbora.tell.passages import LONGEST_LABEL, Link, Passage, heading, labels, passages
from arbora.tell.telling import Telling


def test_a_story_with_two_branches() -> None:
    told = telling(["One.", "Two.", "Three."], [(1, ["Zwei."]), (2, ["Drei.", "Vier."])], opening="Once.", ending="End.")
    assert passages([told], "A story") == (
        Passage("Start", ("Once.", "One."), (Link("Two", "Story 1 part 2"), Link("Zwei", "Story 1 instead 1"))),
        Passage("Story 1 part 2", ("Two.",), (Link("Three", "Story 1 part 3"), Link("Drei", "Story 1 instead 2"))),
        Passage("Story 1 part 3", ("Three.", "End.")),
        Passage("Story 1 instead 1", ("Zwei.", "End.")),
        Passage("Story 1 instead 2", ("Drei. Vier.", "End.")),
    )


def test_several_stories_begin_with_a_choice_of_them() -> None:
    first, *rest = passages([telling(["One."]), telling(["Two."], title="Other")], "A story")
    assert first == Passage("Start", ("A story",), (Link("Story 1", "Story 1"), Link("Story 2: Other", "Story 2")))
    assert rest == [Passage("Story 1", ("One.",)), Passage("Story 2", ("Two.",))]


def test_branches_at_the_very_start_and_in_one_place() -> None:
    parts = by_name(passages([telling(["One."], [(0, ["Uno."]), (0, [])])], "A story"))
    assert [link.label for link in parts["Start"].links] == ["One", "Uno", "The story ends here"]
    assert parts["Start"].paragraphs == parts["Story 1 instead 2"].paragraphs == ()


def test_paragraphs_of_the_opening_stay() -> None:
    assert passages([telling([], opening="One\nline.\n\nTwo.")], "")[0].paragraphs == ("One line.", "Two.")


def test_labels_are_short_and_differ() -> None:
    long = "Alice went to the market square and bought a very large vase there"
    assert labels(["Bob left.", "Bob left!", long + "."]) == ["Bob left", "Bob left!", f"{long[:59].rsplit(' ', 1)[0]}…"]
    assert labels([long + " today.", long + " twice."]) == [long + " today.", long + " twice."]
    assert labels(["Same.", "Same.", "Same. (2)"]) == ["Same.", "Same. (2)", "Same. (2) (2)"]
    assert labels(["x" * 99]) == ["x" * 59 + "…"]


def test_headings() -> None:
    assert heading(telling([], title="War"), 3, "Peace") == "Story 3: War"
    assert heading(telling([], title="Peace"), 3, " Peace ") == "Story 3"


@given(st.lists(lines, min_size=1, max_size=4))
def test_labels_always_differ(sentences: list[str]) -> None:
    made = labels(sentences)
    assert len(set(made)) == len(sentences)
    assert all(label and label == told_as_lines(label) for label in made)
    assert all(
        len(label) <= LONGEST_LABEL or label.startswith(told_as_lines(each))
        for label, each in zip(made, sentences, strict=True)
    )


@given(st.lists(tellings(), min_size=1, max_size=3))
def test_every_way_through_is_one_of_the_stories_or_branches(stories: list[Telling]) -> None:
    parts = passages(stories, "All")
    read = by_name(parts)
    reached = [words(way[0::2]) for way in walks(read, "Start")]
    before = ["All"] if len(stories) > 1 else []
    expected = []
    for told in stories:
        shown = [told.opening, *(beat.sentence for beat in told.beats)]
        expected.append(words([before, shown, [told.ending]]))
        for branch in told.branches:
            own = [beat.sentence for beat in branch.beats]
            expected.append(words([before, shown[: branch.at + 1], own, [told.ending]]))
    assert sorted(reached) == sorted(expected)
    assert {"Start"} | {link.target for part in parts for link in part.links} == set(read)


def words(parts: list) -> str:
    return told_as_lines(" ".join(text for part in parts for text in part))
