"""The exports in the hands of others: inkjs compiles and plays the Ink, extwee parses the Twee.

ARBORA_NODE_MODULES says in which folder `npm install inkjs extwee` put them; without it these tests are skipped.
"""

import html
import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from told_worlds import NASTY, by_name, telling, told_as_lines, walks

from arbora.tell.ink import to_ink
from arbora.tell.passages import Link, Passage, passages
from arbora.tell.telling import Telling
from arbora.tell.twee import to_twee

PLAY = """
const { Compiler, CompilerOptions } = require("inkjs/full");

function* walk(story, before) {
    const text = story.ContinueMaximally().split("\\n").filter(line => line);
    if (before.length && story.currentTags.length) throw new Error("a tag: " + story.currentTags);
    const labels = story.currentChoices.map(choice => choice.text);
    if (!labels.length) { yield [...before, text]; return; }
    const state = story.state.ToJson();
    for (let i = 0; i < labels.length; i++) {
        story.state.LoadJson(state);
        story.ChooseChoiceIndex(i);
        yield* walk(story, [...before, text, [labels[i]]]);
    }
}

function read(script) {
    const said = [];
    const story = new Compiler(script, new CompilerOptions(null, [], false, message => said.push(message))).Compile();
    story.onError = message => said.push(message);
    const title = story.globalTags;
    return { said, title, walks: [...walk(story, [])] };
}
"""
PARSE = """
const { parse } = await import(url.pathToFileURL(path.join(modules, "extwee/src/Twee/parse.js")));

function read(document) {
    const story = parse(document);
    return {
        name: story.name, start: story.start, ifid: story.IFID, format: story.format,
        passages: story.passages.map(({ name, text, tags, metadata }) => ({ name, text, tags, metadata })),
    };
}
"""
FRAME = """
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import url from "node:url";
const modules = process.env.ARBORA_NODE_MODULES;
const require = createRequire(path.join(modules, "here.js"));
%s
process.stdout.write(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf-8")).map(read)));
"""


def stories() -> Iterator[tuple[list[Telling], str]]:
    """Tellings with everything that could be taken for markup."""
    yield (
        [telling(NASTY, [(i, [line, "And so on."]) for i, line in enumerate(NASTY)], opening="Once.", ending="End.")],
        "# TODO: x",
    )
    yield [telling(["One."], title=name) for name in NASTY], ":: The $vase"
    rng = random.Random(1)
    signs = [*"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~aA1é ", "->", "<-", "<>", "//", "/*", "==", "TODO:", "VAR "]
    lines = [told_as_lines("".join(rng.choices(signs, k=rng.randrange(2, 12)))) or "x" for _ in range(300)]
    for i in range(0, 300, 10):
        yield (
            [telling(lines[i : i + 6], [(3, lines[i + 6 : i + 8]), (4, lines[i + 8 : i + 9])], opening=lines[i + 9])],
            lines[i],
        )
    yield [telling([], title="Nothing")], ""


def ask_node(package: str, program: str, texts: list[str]) -> list[dict[str, Any]]:
    modules = os.environ.get("ARBORA_NODE_MODULES", "")
    if shutil.which("node") is None:
        pytest.skip("node is not on this machine")
    if not modules or not (Path(modules) / package).is_dir():
        pytest.skip(f"{package} is not at hand: ARBORA_NODE_MODULES names no folder that has it")
    done = subprocess.run(
        ["node", "--input-type=module", "-e", FRAME % program],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(answer) == len(texts)
    return answer


def test_inkjs_plays_what_was_told() -> None:
    cases = list(stories())
    for (told, title), read in zip(cases, ask_node("inkjs", PLAY, [to_ink(*case) for case in cases]), strict=True):
        assert read["said"] == []
        assert read["title"] == ([f"title: {told_as_lines(title)}"] if title else None)
        expected = [[list(part) for part in way] for way in walks(by_name(passages(told, title)), "Start")]
        assert read["walks"] == expected


def test_extwee_reads_what_was_told() -> None:
    cases = list(stories())
    documents = [to_twee(*case) for case in cases]
    for (told, title), document, read in zip(cases, documents, ask_node("extwee", PARSE, documents), strict=True):
        assert read["name"] == told_as_lines(title)
        assert (read["start"], read["format"]) == ("Start", "Harlowe")
        assert read["ifid"] in document
        named = [each for each in read["passages"] if each["name"] not in ("StoryTitle", "StoryData")]
        assert [shown(each["name"], each["text"]) for each in named] == list(passages(told, title))
        assert all(each["tags"] == [] and each["metadata"] == {} for each in named)


def shown(name: str, text: str) -> Passage:
    lines = [line for line in text.split("\n") if line]
    links = [line[2:-2].split("->") for line in lines if line.startswith("[[")]
    paragraphs = tuple(html.unescape(line) for line in lines if not line.startswith("[["))
    return Passage(name, paragraphs, tuple(Link(html.unescape(label), target) for label, target in links))
