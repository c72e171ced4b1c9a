"""Awkward files of formats that say what they mean: ARFF, DELTA and SDD."""

from collections.abc import Iterator, Mapping

from awkward import Awkward, Rows, read, refused

ARFF = """% lamps
@RELATION lamps
@attribute name string
@attribute light {on,off}
@ATTRIBUTE 'the hum' {loud,no}
@data
"""
CHARS = """*SHOW lamps
*CHARACTER LIST
#1. light <of the lamp>/
      1. on <bright or dim>/
      2. off/
#2. hum <how loud>/
      1. none <silent; a < b>/
      2. low/high pitch/
      3. loud/
#3. light <its colour>/ 1. white/ 2. yellow/
#4. height/ cm/
#5. remarks/
"""
SPECS = "*CHARACTER TYPES 2,OM 4,RN 5,TE\n*NUMBERS OF STATES 2,3\n*DEPENDENT CHARACTERS 1,2:3\n"
ITEMS = """*ITEM DESCRIPTIONS
# Bulb <Edison>/
1,1<mostly> 2,1-2 3,1 4,3-5(-7) 5<old, 1/ 2>
# Tube/
1,2 2<rarely>,3 4,10
# Spot/
1,1/2 3,1&2 4,(4-)6-8
"""
NAMES = ["character", "Bulb", "Tube", "Spot"]
DELTA_ROWS: Rows = [
    NAMES,
    ["light (of the lamp)", "on", "off", "on/off"],
    ["hum", "none/low or high pitch", "loud", ""],
    ["light (its colour)", "white", "-", "white/yellow"],
]
DELTA = {"chars": CHARS, "specs": SPECS, "items": ITEMS}
_CODED = '<Categorical ref="{}"><State ref="{}"/></Categorical>'


def formats() -> Iterator[Awkward]:
    """Yield all awkward files of these formats."""
    yield from _arff()
    yield from _delta()
    yield from _delta_refused()
    yield from _sdd()


def _arff() -> Iterator[Awkward]:
    rows: Rows = [["name", "light", "the hum"], ["bulb", "on", "loud"], ["tube, new", "off", ""]]
    data = "bulb,on,loud\n% nothing\n\n'tube, new',off,?\n"
    name = "t.arff"
    yield read("ARFF", name, ARFF + data, rows, "ARFF")
    yield read("ARFF with CRLF", name, (ARFF + data).replace("\n", "\r\n"), rows)
    yield read("ARFF called .csv, with a mark", "t.csv", b"\xef\xbb\xbf" + (ARFF + data).encode(), rows)
    umlaut = [["name", "light", "the hum"], ["Müller", "on", "no"]]
    yield read("ARFF in Windows-1252", name, (ARFF + "Müller,on,no").encode("cp1252"), umlaut, "Windows-1252")
    bare = ARFF.replace("@attribute name string\n", "").replace("@data", "@attribute class {a,b}\n@data")
    numbered = [["", "light", "the hum"], ["e1", "on", "loud"], ["e2", "off", "no"]]
    yield read(
        "ARFF with a class and no names", name, bare + "on,loud,a\noff,no,b\n", numbered, "'class' left out"
    )
    yield refused("ARFF, sparse", name, ARFF + "{0 bulb}\n", "line 7", "sparse", "CSV")
    yield refused("ARFF, ragged", name, ARFF + "bulb,on\n", "line 7", "2 cells; expected 3")
    yield refused("ARFF without types", name, ARFF.replace(" string", ""), "line 3", "@attribute NAME TYPE")
    yield refused("ARFF without data", name, ARFF.replace("@data\n", ""), "@data")
    yield refused("ARFF with something else", name, ARFF.replace("@data", "data"), "line 6", "@data")
    yield refused("ARFF, a quotation mark left open", name, ARFF + "'bulb,on,no\n", "line 7")


def _folder(name: str, files: Mapping[str, str], rows: Rows, *said: str, path: str = ".") -> Awkward:
    return Awkward(
        name, {file: text.encode() for file, text in files.items()}, rows=rows, said=said, path=path
    )


def _delta() -> Iterator[Awkward]:
    yield _folder(
        "DELTA, a folder",
        DELTA,
        DELTA_ROWS,
        "DELTA",
        "characters 4 left out (numbers without *KEY STATES)",
        "text characters left out: 1",
    )
    yield _folder("DELTA, one of its files", DELTA, DELTA_ROWS, path="specs")
    other = {f"{name}_lamps.txt": text for name, text in DELTA.items()}
    yield _folder("DELTA, files with other names", other, DELTA_ROWS, path="items_lamps.txt")
    yield _folder(
        "DELTA, all in one file", {"lamps.dlt": CHARS + SPECS + ITEMS}, DELTA_ROWS, path="lamps.dlt"
    )
    upper = {name.upper(): text.replace("\n", "\r\n") for name, text in DELTA.items()}
    yield _folder("DELTA of DOS", upper, DELTA_ROWS)
    both = {**other, "chars_x": CHARS, "items_x": ITEMS}
    yield _folder("DELTA, two data sets, one named", both, DELTA_ROWS, path="items_lamps.txt")
    keys = "*KEY STATES 4,~5/5-9/10~ 2,1-2/3\n"
    keyed = [*DELTA_ROWS, ["height", "up to 5 cm/5-9 cm", "10 cm or more", "up to 5 cm/5-9 cm"]]
    keyed[2] = ["hum", "none or low or high pitch", "loud", ""]
    yield _folder("DELTA, states of a key", {**DELTA, "tokey": keys}, keyed)
    narrow = [*keyed[:4], ["height", "up to 5 cm/5-9 cm", "10 cm or more", "5-9 cm"]]
    yield _folder("DELTA, usual values", {**DELTA, "tokey": keys + "*USE NORMAL VALUES 4\n"}, narrow)
    weighed = [[*row, cost] for row, cost in zip(DELTA_ROWS, ("cost", "0.5102", "1", "1.4"), strict=True)]
    weighed.append(["weight", "4", "1", "0.5", ""])
    more = "*CHARACTER RELIABILITIES 1,7 3,4\n*ITEM ABUNDANCES 1,7 3,4\n"
    yield _folder(
        "DELTA, reliabilities and abundances",
        {**DELTA, "key": more},
        weighed,
    )
    yield _folder(
        "DELTA, bases",
        {**DELTA, "key": more + "*RBASE 2\n*ABASE 1\n"},
        (
            [[*row, cost] for row, cost in zip(DELTA_ROWS, ("cost", "0.25", "1", "2"), strict=True)]
            + [["weight", "1", "1", "1", ""]]
        ),
    )
    implicit = {**DELTA, "specs": SPECS + "*IMPLICIT VALUES 2,1\n"}
    yield _folder(
        "DELTA, implicit values", implicit, [*DELTA_ROWS[:2], [*DELTA_ROWS[2][:3], "none"], DELTA_ROWS[3]]
    )
    without = {**DELTA, "key": "*EXCLUDE CHARACTERS 2 4-5\n*EXCLUDE ITEMS 2\n"}
    yield _folder(
        "DELTA, excluded",
        without,
        [[row[0], row[1], row[3]] for row in (*DELTA_ROWS[:2], DELTA_ROWS[3])],
        "items excluded: 1",
    )
    within = {**DELTA, "key": "*INCLUDE CHARACTERS 2\n*INCLUDE ITEMS 1-2\n"}
    yield _folder("DELTA, included", within, [row[:3] for row in (DELTA_ROWS[0], DELTA_ROWS[2])])
    vague = {**DELTA, "items": ITEMS.replace("2<rarely>,3", "2,V").replace("1,1/2 ", "1,U 2,- ")}
    rows = [[*row] for row in DELTA_ROWS]
    rows[1][3], rows[2][2], rows[2][3] = "", "none/low or high pitch/loud", "-"
    yield _folder("DELTA, V, U and -", vague, rows)
    accents = {name: text.replace("Bulb", "Ampoule é").encode("cp437") for name, text in DELTA.items()}
    yield Awkward(
        "DELTA of DOS with accents",
        accents,
        rows=[["character", "Ampoule é", "Tube", "Spot"], *DELTA_ROWS[1:]],
        path=".",
    )
    marked = {**DELTA, "items": ITEMS.replace("Bulb", "\\i{}Bulb\\i0{}").replace("Tube", "[I]Tube['I]")}
    yield _folder("DELTA with typesetting", marked, DELTA_ROWS)
    alike = {**DELTA, "items": ITEMS.replace("Tube", "Bulb <Osram>")}
    yield _folder(
        "DELTA, items of one name",
        alike,
        [["character", "Bulb (Edison)", "Bulb (Osram)", "Spot"], *DELTA_ROWS[1:]],
    )
    numbered = {**DELTA, "items": ITEMS.replace("# Tube", "#2. Tube")}
    yield _folder("DELTA, items with numbers", numbered, DELTA_ROWS)


def _delta_refused() -> Iterator[Awkward]:
    def wrong(name: str, file: str, old: str, new: str, *words: str) -> Awkward:
        assert old in DELTA[file], old
        files = {**DELTA, file: DELTA[file].replace(old, new)}
        return Awkward(
            f"DELTA, {name}", {k: v.encode() for k, v in files.items()}, refused=(file, *words), path="."
        )

    yield wrong("a character twice", "chars", "#2.", "#1.", "line 6", "expected #2.")
    yield wrong("a state left out", "chars", "2. off", "3. off", "line 3", "expected state 2.")
    yield wrong("an open comment", "chars", "<how loud>", "<how loud", "line 6", "not closed")
    yield wrong("an open comment of an item", "items", "<mostly>", "<mostly", "line 2", "not closed")
    yield wrong("a state that is not there", "items", "1,2 2<", "1,3 2<", "line 4", "'3'", "from 1 to 2")
    yield wrong("a character that is not there", "items", "3,1 4", "9,1 4", "line 2", "'9'", "from 1 to 5")
    yield wrong("no attribute", "items", "3,1 4", "three 4", "line 2", "'three'", "such as 3,1/2")
    yield wrong("a height of letters", "items", "4,10", "4,tall", "line 4", "'4,tall'", "numbers")
    yield wrong("a variant item", "items", "# Tube", "# + Tube", "line 4", "in full")
    yield wrong("a type of nothing", "specs", "2,OM", "2OM", "line 1", "'2OM'", "such as 3,2")
    yield wrong("a type of a character too many", "specs", "5,TE", "6,TE", "line 1", "'6'", "from 1 to 5")
    for name, text, words in (
        ("a reliability", "*CHARACTER RELIABILITIES 1,x\n", ("line 1", "'1,x'", "0 to 10")),
        ("a base", "*RBASE 9\n", ("line 1", "'9'", "from 1 to 5")),
        ("a state of a key", "*KEY STATES 4,~x/5~\n", ("line 1", "character 4", "'~x'")),
    ):
        files = {**DELTA, "key": text}
        yield Awkward(
            f"DELTA, wrong {name}",
            {k: v.encode() for k, v in files.items()},
            refused=("key", *words),
            path=".",
        )
    for name in ("chars", "items"):
        files = {k: v for k, v in DELTA.items() if k != name}
        yield Awkward(
            f"DELTA without {name}",
            {k: v.encode() for k, v in files.items()},
            refused=("expected files chars",),
            path=".",
        )
    two = {f"{k}_{x}": v.encode() for k, v in DELTA.items() for x in "ab"}
    yield Awkward("DELTA, two data sets", two, refused=("2 data sets", "items_a", "items_b"), path=".")
    yield Awkward(
        "a folder of something else", {"t.csv": b"t,a\nx,1\n"}, refused=("expected files chars",), path="."
    )


def _label(text: str) -> str:
    return f"<Representation><Label>{text}</Label></Representation>"


def _sdd() -> Iterator[Awkward]:
    def states(*pairs: tuple[str, str]) -> str:
        inside = "".join(
            f'<StateDefinition id="{name}">{_label(label)}</StateDefinition>' for name, label in pairs
        )
        return f"<States>{inside}</States>"

    characters = (
        f'<CategoricalCharacter id="c1">{_label("Wings")}{states(("s1", "present"), ("s2", "absent"))}'
        f'</CategoricalCharacter><CategoricalCharacter id="c2">{_label("Colour")}'
        f"{states(('s3', 'red/brown'), ('s4', 'yellow'))}</CategoricalCharacter>"
        f'<QuantitativeCharacter id="c3">{_label("Length")}</QuantitativeCharacter>'
    )
    tree = (
        '<CharacterTrees><CharacterTree><Nodes><Node id="n"><DependencyRules><InapplicableIf>'
        '<State ref="s2"/></InapplicableIf></DependencyRules></Node>'
        '<CharNode><Parent ref="n"/><Character ref="c2"/></CharNode></Nodes></CharacterTree></CharacterTrees>'
    )

    def coded(taxon: str, inside: str) -> str:
        scope = f'<Scope><TaxonName ref="{taxon}"/></Scope>'
        return f"<CodedDescription>{scope}<SummaryData>{inside}</SummaryData></CodedDescription>"

    both = '<Categorical ref="c2"><State ref="s3"/><State ref="s4"/></Categorical>'
    described = (
        coded("t1", _CODED.format("c1", "s1") + both)
        + coded("t2", _CODED.format("c1", "s2"))
        + coded(
            "t3",
            '<Categorical ref="c1"><Status code="DataUnavailable"/></Categorical>'
            + _CODED.format("c2", "s4"),
        )
    )
    taxa = "".join(
        f'<TaxonName id="t{i}">{_label(name)}</TaxonName>' for i, name in enumerate(("Bee", "Ant", "Fly"), 1)
    )
    space = 'xmlns="http://rs.tdwg.org/UBIF/2006/"'
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<Datasets {space}><Dataset><TaxonNames>{taxa}</TaxonNames>'
        f"<Characters>{characters}</Characters>{tree}<CodedDescriptions>{described}</CodedDescriptions></Dataset></Datasets>"
    )
    rows: Rows = [
        ["character", "Bee", "Ant", "Fly"],
        ["Wings", "present", "absent", ""],
        ["Colour", "red or brown/yellow", "-", "yellow"],
    ]
    name = "t.sdd.xml"
    yield read(
        "SDD", name, text, rows, "SDD", "characters without states left out: 1", "(as in 'red or brown')"
    )
    yield read("SDD in UTF-16", name, text.replace("UTF-8", "UTF-16").encode("utf-16"), rows)
    needed = text.replace("InapplicableIf", "OnlyApplicableIf").replace(
        '<State ref="s2"/></Only', '<State ref="s1"/></Only'
    )
    yield read("SDD, states that are needed", name, needed, rows)
    yield refused(
        "SDD, a state that is not there",
        name,
        text.replace('<State ref="s1"/></Cat', '<State ref="s9"/></Cat'),
        "'c1'",
        "'s9'",
    )
    yield refused(
        "SDD, a character that is not there",
        name,
        text.replace('ref="c1"><Status', 'ref="c9"><Status'),
        "'c9'",
    )
    yield refused(
        "SDD without descriptions",
        name,
        text.replace("CodedDescriptions", "Nothing"),
        "no coded descriptions",
    )
    yield refused("SDD cut off", name, text[:800], "no XML that can be read", "line 2")
    bomb = '<!DOCTYPE Datasets [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n<Datasets '
    yield refused("SDD with entities", name, text.replace("<Datasets ", bomb), "document type", "has none")
    yield refused("XML of something else", name, '<?xml version="1.0"?><svg/>', "'svg'", "CSV")
