"""Write four tables as people bring them: a technician, a biologist, a doctor and a teacher.

    python scripts/people.py FOLDER

- technician.csv: an export of a German Excel: semicolons, Windows-1252, decimal commas, percents; minutes.
- biologist.xlsx: species in rows, below a title; two of them differ in nothing that is in the table.
- doctor.txt: "Unicode text" of Excel (UTF-16, tabs); diseases in rows, priors in percent, costs below.
- teacher.csv: one row for each misconception and question, as a learning platform exports answers.

All four are made up. Each is read as it is, with `guesstree table FILE` and `guesstree solve table:FILE`; the
biologist is told to add `,merge`.
"""

from __future__ import annotations

import argparse
import csv
import io
from pathlib import Path

TECHNICIAN = """\
Prüfung;Minuten;Netzkabel;Türschloss;Aquastop ausgelöst;Zulauf geknickt;Magnetventil;Niveauschalter;Flusensieb voll;\
Laugenpumpe;Heizstab;Temperaturfühler;Keilriemen;Motorkohlen;Motor;Stoßdämpfer;Trommellager;Steuerplatine
Anzeige leuchtet?;0,5;nein;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;nein
Tür verriegelt?;0,5;nein;nein;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;ja;nein
Wasser läuft zu?;3;nein;nein;nein;langsam;nein;dauernd;ja;ja;ja;ja;ja;ja;ja;ja;ja;nein
Wasser läuft ab?;3;nein;ja;ja;ja;ja;ja;langsam;nein;ja;ja;ja;ja;ja;ja;ja;nein
Trommel dreht?;2;nein;nein;nein;ja;nein;ja;ja;ja;ja;ja;nein;ruckt;nein;ja;ja;nein
Wasser wird warm?;22,5;nein;nein;nein;ja;nein;nein;ja;ja;nein;zu heiß;ja;ja;ja;ja;ja;nein
Geräusch beim Schleudern;6;keins;keins;keins;normal;keins;keins;keins;keins;normal;normal;keins;leise;keins;\
rumpelt;dröhnt;keins
Flusensieb ansehen;2,5;sauber;sauber;sauber;sauber;sauber;sauber;voll;sauber;sauber;sauber;sauber;sauber;sauber;\
sauber;sauber;sauber
Pumpe brummt?;1;nein;ja;ja;ja;ja;ja;ja;nein;ja;ja;ja;ja;ja;ja;ja;nein
Ventil durchmessen;12;normal;normal;normal;normal;unterbrochen;normal;normal;normal;normal;normal;normal;normal;normal;\
normal;normal;normal
Heizstab durchmessen;15;normal;normal;normal;normal;normal;normal;normal;normal;unterbrochen;normal;normal;normal;\
normal;normal;normal;normal
Schwimmer im Boden;4,5;trocken;trocken;nass;trocken;trocken;trocken;trocken;trocken;trocken;trocken;trocken;trocken;\
trocken;trocken;trocken;trocken
Spannung an der Steckerleiste;8;0 V;230 V;230 V;230 V;230 V;230 V;230 V;230 V;230 V;230 V;230 V;230 V;230 V;230 V;\
230 V;230 V
Rückwand ab, Riemen ansehen;10;heil;heil;heil;heil;heil;heil;heil;heil;heil;heil;gerissen;heil;heil;heil;heil;heil
Trommel von Hand drehen;1,5;leicht;leicht;leicht;leicht;leicht;leicht;leicht;leicht;leicht;leicht;sehr leicht;leicht;\
leicht;schwingt nach;rau;leicht
Wahrscheinlichkeit;;2,5 %;6 %;3,5 %;5 %;6,5 %;3 %;17 %;12 %;9 %;2,5 %;5 %;11 %;2 %;7,5 %;5,5 %;2 %
"""

BIOLOGIST_TITLE = "Winter twigs of broad-leaved trees, key for the field course (draft 3)"
BIOLOGIST = """\
Species;Buds;Bud colour;Bud scales;Bud shape;Twig;Leaf scar;Pith;Bark;Thorns;Catkins in winter;Height (m)
Sycamore;opposite;green;several;egg;round;three traces;full;flaking;no;no;30
Norway maple;opposite;red;several;egg;round;three traces;full;ridged;no;no;25
Field maple;opposite;brown;several;egg;corky;three traces;full;ridged;no;no;18
Ash;opposite;black;several;cone;flattened;crescent;full;ridged;no;no;35
Horse chestnut;opposite;brown;several;sticky egg;round;horseshoe;full;flaking;no;no;30
Elder;opposite;red;loose;egg;warty;crescent;spongy;corky;no;no;6
Guelder rose;opposite;green;two;egg;angled;three traces;full;smooth;no;no;4
Dogwood;opposite;black;none;thin;red;small;full;smooth;no;no;4
Spindle;opposite;green;several;egg;green;small;full;smooth;no;no;5
Beech;alternate;brown;many;spindle;zigzag;small;full;smooth;no;no;35
Hornbeam;alternate;brown;many;spindle;round;small;full;smooth;no;no;22
Sessile oak;alternate;brown;many;egg;round;small;star;ridged;no;no;30
English oak;alternate;brown;many;egg;round;small;star;ridged;no;no;30
Turkey oak;alternate;brown;whiskers;egg;hairy;small;star;ridged;no;no;32
Sweet chestnut;alternate;red;two;egg;angled;small;star;ridged;no;no;28
Alder;alternate;purple;two;stalked;round;three traces;triangle;ridged;no;yes;22
Grey alder;alternate;purple;two;stalked;hairy;three traces;triangle;smooth;no;yes;18
Silver birch;alternate;brown;several;egg;warty;small;full;white;no;yes;24
Downy birch;alternate;brown;several;egg;hairy;small;full;white;no;yes;22
Hazel;alternate;green;several;egg;hairy;small;full;smooth;no;yes;6
Aspen;alternate;brown;several;cone;round;three traces;star;smooth;no;no;22
Goat willow;alternate;yellow;one;egg;round;small;full;ridged;no;no;9
White willow;alternate;yellow;one;flat;hairy;small;full;ridged;no;no;24
Wych elm;alternate;black;many;egg;hairy;small;full;ridged;no;no;32
Small-leaved lime;alternate;red;two;egg;zigzag;small;full;ridged;no;no;30
Hawthorn;alternate;red;several;round;round;small;full;ridged;yes;no;8
Blackthorn;alternate;black;several;round;round;small;full;smooth;yes;no;4
Rowan;alternate;purple;hairy;cone;round;crescent;full;smooth;no;no;14
Whitebeam;alternate;green;several;egg;round;three traces;full;smooth;no;no;14
Walnut;alternate;black;two;round;round;three traces;chambered;ridged;no;no;24
Robinia;alternate;hidden;none;hidden;angled;three traces;full;ridged;yes;no;24
"""

DOCTOR = """\
Disease\tPrior\tFever\tOnset\tPain\tRash\tNeck stiff\tCough\tBlood count\tCRP\tUrine strip\tChest film\tThroat swab\
\tSpinal tap
Influenza\t31.5 %\thigh\tsudden\tmuscles\tno\tno\tdry\tnormal\tnormal\tclear\tclear\tnegative\tnot done
Common cold\t40 %\tnone\tslow\tthroat\tno\tno\tdry\tnormal\tnormal\tclear\tclear\tnegative\tnot done
Strep throat\t7 %\thigh\tsudden\tthroat\tno\tno\tnone\tneutrophils\traised\tclear\tclear\tpositive\tnot done
Glandular fever\t2.5 %\tmild\tslow\tthroat\tno\tno\tnone\tlymphocytes\tnormal\tclear\tclear\tnegative\tnot done
Scarlet fever\t0.8 %\thigh\tsudden\tthroat\tfine\tno\tnone\tneutrophils\traised\tclear\tclear\tpositive\tnot done
Measles\t0.1 %\thigh\tslow\tnone\tblotchy\tno\tdry\tlow\tnormal\tclear\tclear\tnegative\tnot done
Lobar pneumonia\t2.2 %\thigh\tsudden\tchest\tno\tno\twet\tneutrophils\thigh\tclear\tshadow\tnegative\tnot done
Atypical pneumonia\t1.6 %\tmild\tslow\tnone\tno\tno\tdry\tnormal\traised\tclear\tpatchy\tnegative\tnot done
Bronchitis\t6.4 %\tmild\tslow\tchest\tno\tno\twet\tnormal\tnormal\tclear\tclear\tnegative\tnot done
Tuberculosis\t0.05 %\tmild\tslow\tnone\tno\tno\twet\tnormal\traised\tclear\tshadow\tnegative\tnot done
Cystitis\t3.4 %\tnone\tslow\tbelly\tno\tno\tnone\tnormal\tnormal\tcloudy\tclear\tnegative\tnot done
Pyelonephritis\t0.9 %\thigh\tsudden\tflank\tno\tno\tnone\tneutrophils\thigh\tcloudy\tclear\tnegative\tnot done
Bacterial meningitis\t0.02 %\thigh\tsudden\thead\tno\tyes\tnone\tneutrophils\thigh\tclear\tclear\tnegative\tcloudy
Meningococcal sepsis\t0.01 %\thigh\tsudden\thead\tpurple\tyes\tnone\tneutrophils\thigh\tclear\tclear\tnegative\tcloudy
Viral meningitis\t0.12 %\thigh\tsudden\thead\tno\tyes\tnone\tlymphocytes\tnormal\tclear\tclear\tnegative\tclear
Appendicitis\t1.1 %\tmild\tslow\tbelly\tno\tno\tnone\tneutrophils\traised\tclear\tclear\tnegative\tnot done
Gastroenteritis\t2.3 %\tmild\tsudden\tbelly\tno\tno\tnone\tnormal\tnormal\tclear\tclear\tnegative\tnot done
Cost (EUR)\t\t0.5\t0.5\t0.5\t1.25\t1.25\t1\t4.8\t6.35\t2.15\t28.4\t11.9\t86.7
"""

QUESTIONS = (
    "0.3 or 0.25?",
    "0.3 or 0.45?",
    "3/4 or 5/7?",
    "0.5 + 0.12",
    "1/2 + 1/3",
    "10 x 0.7",
    "8 : 0.5",
    "-3 - 4",
    "2 + 3 x 4",
)
TEACHER = """\
no misconception;0.3;0.45;3/4;0.62;5/6;7;16;-7;14
longer decimals are larger;0.25;0.45;3/4;0.62;5/6;7;16;-7;14
shorter decimals are larger;0.3;0.3;3/4;0.62;5/6;7;16;-7;14
decimals are two whole numbers;0.25;0.45;3/4;0.17;5/6;0.70;16;-7;14
larger denominators are larger;0.3;0.45;5/7;0.62;5/6;7;16;-7;14
adds tops and bottoms;0.3;0.45;3/4;0.62;2/5;7;16;-7;14
adds tops, keeps one bottom;0.3;0.45;3/4;0.62;2/3;7;16;-7;14
times ten adds a zero;0.3;0.45;3/4;0.62;5/6;0.70;16;-7;14
multiplying makes larger;0.3;0.45;3/4;0.62;5/6;70;16;-7;14
dividing makes smaller;0.3;0.45;3/4;0.62;5/6;7;4;-7;14
divides the other way;0.3;0.45;3/4;0.62;5/6;7;0.0625;-7;14
two minuses make plus;0.3;0.45;3/4;0.62;5/6;7;16;7;14
drops the first minus;0.3;0.45;3/4;0.62;5/6;7;16;-1;14
counts up from the minus;0.3;0.45;3/4;0.62;5/6;7;16;1;14
works from left to right;0.3;0.45;3/4;0.62;5/6;7;16;-7;20
lines up on the right;0.3;0.45;3/4;0.17;5/6;7;16;-7;14
compares tops only;0.3;0.45;5/7;0.62;2/5;7;16;-7;14
ignores the point;0.25;0.45;3/4;0.17;5/6;70;4;-7;14
"""


def technician() -> bytes:
    """Return an export of a German Excel."""
    return TECHNICIAN.replace("\n", "\r\n").encode("cp1252")


def biologist() -> bytes:
    """Return a workbook with a title above the table, and numbers in cells of numbers."""
    import xlsxwriter

    found = io.BytesIO()
    with xlsxwriter.Workbook(found, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Winter twigs")
        sheet.write(0, 0, BIOLOGIST_TITLE)
        for i, line in enumerate(BIOLOGIST.splitlines()):
            for j, cell in enumerate(line.split(";")):
                sheet.write(i + 2, j, int(cell) if cell.isdigit() else cell)
    return found.getvalue()


def doctor() -> bytes:
    """Return what Excel saves as Unicode text."""
    return b"\xff\xfe" + DOCTOR.replace("\n", "\r\n").encode("utf-16-le")


def teacher() -> bytes:
    """Return a row for each misconception and question."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["misconception", "question", "answer"])
    for line in TEACHER.splitlines():
        who, *answers = line.split(";")
        writer.writerows((who, *pair) for pair in zip(QUESTIONS, answers, strict=True))
    return text.getvalue().encode()


FILES = {
    "technician.csv": technician,
    "biologist.xlsx": biologist,
    "doctor.txt": doctor,
    "teacher.csv": teacher,
}


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in FILES.items():
        (folder / name).write_bytes(made())


if __name__ == "__main__":
    main()
