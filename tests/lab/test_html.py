"""The page: well-formed, in itself complete, escaped, and with every number of the report."""

import os
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
import report_examples as examples
from report_examples import cells_of

from arbora.errors import BadInput
from arbora.lab import html, plots
from arbora.lab.experiment import Claim, Layout
from arbora.lab.numbers import decimals, p_value, shown
from arbora.lab.tables import make_report

EXAMPLES = {"time": examples.over_time, "settings": examples.settings, "total": examples.positions}
WITHOUT_END = ("meta", "br")


class Page(HTMLParser):
    """Checks that tags are closed in order; keeps attributes and what is read."""

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes, self.read, self.tags = [], [], "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "svg"} & set(self.open):
            self.read += data


@pytest.fixture(scope="module", params=list(EXAMPLES))
def example(request):
    made = EXAMPLES[request.param]()
    report = make_report(made)
    return report, html.render(report, plots.draw(report, made))


def test_all_tags_are_closed(example):
    assert Page(example[1]).open == []


def test_nothing_comes_from_outside(example):
    _, text = example
    for name, value in Page(text).attributes:
        if name in ("src", "href", "xlink:href", "action", "data"):
            assert value.startswith("#")
    assert not re.search(r"""url\(\s*['"]?(?!#)""", text)
    assert "@import" not in text
    assert not {"script", "link", "iframe", "img"} & set(Page(text).tags)


def test_every_number_is_there(example):
    report, text = example
    read = Page(text).read
    for table in report.tables:
        digits = decimals(table.value, report.digits)
        for cell in table.cells.values():
            if cell.summary is not None:
                assert shown(cell.summary.mean, digits) in read
                assert f"n {cell.summary.n}" in read
            if cell.document is not None:
                assert f"doc {shown(cell.document, digits)}" in read
            if cell.ratio is not None:
                assert f"×{cell.ratio:.2f}" in read
    for comparison in report.comparisons:
        assert p_value(comparison.difference.p) in read
    for verdict in report.verdicts:
        assert verdict.text in read
        assert f"{verdict.word} {verdict.numbers}".strip() in read
    for said in (report.title, report.source, report.about, report.differs, report.command, *report.notes, *report.machines):
        assert said in read


def test_a_whole_cell():
    document = {"score": {"": {"a": 8.0}}}
    text = html.render(
        make_report(cells_of({"": {"a": [10, 14], "b": [7]}}, document=document, document_columns=("a",))), []
    )
    assert (
        '<td><span class="best">12 <span class="half">± 25</span></span>'
        '<span class="document">doc 8 ×1.50 <span class="n">n 2</span></span></td>'
        '<td><span class="ours">7</span><span class="document"><span class="n">n 1</span></span></td>'
    ) in text


def test_signs_of_the_verdicts():
    orders = {"good": "ab", "weak": "ac", "bad": "ba", "none": "ad"}
    claims = tuple(Claim(name, tuple((None, column) for column in order)) for name, order in orders.items())
    made = cells_of({"": {"a": [10, 11], "b": [5, 6], "c": [2, 12]}}, ("a", "b", "c"), claims=claims)
    signs = re.findall(r'<span class="sign ([\w-]+)"[^>]*>(.)</span>(\w+)', html.render(make_report(made), []))
    assert signs == [("seen", "✓", "good"), ("weak", "~", "weak"), ("not-seen", "✗", "bad"), ("no-data", "–", "none")]


def test_columns_of_the_document_are_marked():
    document = {"score": {"": {"c": 8.0}}}
    text = html.render(make_report(cells_of({"": {"a": [1]}}, ("a",), document=document, document_columns=("c",))), [])
    assert re.findall(r'<th scope="col">(\w)<span class="document">only in the document', text) == ["c"]


def test_what_users_write_is_escaped():
    evil = "<script>alert(1)</script>&\"'"
    made = cells_of(
        {evil: {evil: [1, 2], "b": [5, 6]}}, (evil, "b"),
        title=evil, source=evil, about=evil, differs=evil, name=evil, command=evil, machines=(evil,), versions=(evil,),
        layout=Layout(rows=(evil,), columns=("search",), plots=("bars", "boxes", "lines", "differences")),
        claims=(Claim(evil, ((None, evil), (None, "b"))),), compare=((evil, "b"),), missing=(evil,),
        document={"score": {evil: {evil: 9.0, "b": 2.0}}}, document_columns=(evil, "b"),
    )  # fmt: skip
    report = make_report(made)
    text = html.render(replace(report, tables=report.tables), plots.draw(report, made))
    page = Page(text)
    assert "script" not in page.tags
    assert "<script" not in text
    assert page.read.count(evil) >= 12


def test_written_in_one_step(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("old")

    def full(*arguments):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(BadInput) as caught:
            html.write(path, "new ✓")
    assert str(caught.value) == f"{path}: cannot write the report: No space left on device"
    assert path.read_text() == "old"
    html.write(path, "new ✓")
    assert path.read_text(encoding="utf-8") == "new ✓"
    assert os.listdir(tmp_path) == ["report.html"]


def test_folder_that_does_not_exist_is_told(tmp_path):
    with pytest.raises(BadInput, match="cannot write the report: No such file or directory"):
        html.write(tmp_path / "nowhere" / "report.html", "")
