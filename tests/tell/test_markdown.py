"""Markdown: an exact document, and a real parser shows every name and sentence as it was."""

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from told_worlds import NASTY, lines, telling, tellings, told_as_lines

from arbora.tell.markdown import escaped, to_markdown
from arbora.tell.telling import GoalTold, Telling


def test_a_document() -> None:
    told = telling(["Bob fled.", "He *never* came back."], [(1, ["He came back."])], title="Flight", opening="Once.")
    assert to_markdown([told, telling(["Nothing."])], "A story") == (
        "# A story\n\n"
        "## Story 1: Flight\n\n"
        "Once.\n\nBob fled. He \\*never\\* came back.\n\n"
        "| Goal | Weight | Met |\n| --- | --- | --- |\n| one \\| two | 1 | yes |\n| three | 1 | no |\n\n"
        "Score 0.25: believability 0.5, 1 of 2 goals met.\n\n"
        "### What might have happened instead\n\n"
        "**Instead of “He \\*never\\* came back.”**\n\n"
        "He came back.\n\n"
        "Score 0.125: believability 0.25.\n\n"
        "## Story 2\n\n"
        "Nothing.\n\n"
        "| Goal | Weight | Met |\n| --- | --- | --- |\n| one \\| two | 1 | yes |\n| three | 1 | no |\n\n"
        "Score 0.25: believability 0.5, 1 of 2 goals met.\n"
    )


def test_a_must_is_said() -> None:
    told = Telling("", "", "", (), "", 0.0, 1.0, (GoalTold("peace", False, 2.5, True),))
    assert "| peace | 2.5, must | no |" in to_markdown([told], "")


@given(lines)
def test_a_line_is_shown_as_it_is(line: str) -> None:
    line = told_as_lines(line)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(escaped(line))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert inline_text(tokens[1]) == line


@given(st.lists(tellings(), min_size=1, max_size=2), lines)
@example([telling(NASTY, [(i, [line]) for i, line in enumerate(NASTY)])], "# odd")
def test_headings_and_prose_are_shown(stories: list[Telling], title: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(to_markdown(stories, title))
    headings = [
        inline_text(tokens[i + 1]) for i, token in enumerate(tokens) if token.tag in ("h1", "h2") and token.nesting == 1
    ]
    own = [told_as_lines(told.title) for told in stories]
    numbered = (
        f"Story {i}: {name}" if name and name != told_as_lines(title) else f"Story {i}" for i, name in enumerate(own, 1)
    )
    assert headings == [told_as_lines(title), *numbered]
    assert sum(token.type == "table_open" for token in tokens) == len(stories)
    paragraphs = {inline_text(tokens[i + 1]) for i, token in enumerate(tokens) if token.type == "paragraph_open"}
    for told in stories:
        assert {told_as_lines(each) for each in told.text.split("\n\n")} - {""} <= paragraphs


def inline_text(token) -> str:
    assert all(child.type in ("text", "text_special", "strong_open", "strong_close") for child in token.children), token
    return "".join(child.content for child in token.children)
