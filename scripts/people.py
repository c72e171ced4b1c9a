"""Write tables as people bring them: a technician, a biologist, a doctor and a teacher.

    python scripts/people.py FOLDER

- technician.csv: an export of a German Excel: semicolons, Windows-1252, decimal commas, percents; minutes.
- biologist.xlsx: species in rows, below a title; two of them differ in nothing that is in the table.
- doctor.txt: "Unicode text" of Excel (UTF-16, tabs); diseases in rows, priors in percent, costs below.
- teacher.csv: one row for each misconception and question, as a learning platform exports answers.

Each is read as it is, with `guesstree table FILE` and `guesstree solve table:FILE`; the biologist is told to
add `,merge`. Three more have tests that err, and decisions (docs/diagnosis.md):

- throat.csv, a doctor's: sensitivity, specificity, a set-up, what it costs to treat, to wait or to refer.
- boiler.csv, a technician's: symptoms that may mislead, the casing to open, repairs that may fail, service.
- sedges.csv, a biologist's: species with several states, and a cell that nobody knows.

All are made up.
"""

from __future__ import annotations

import argparse
import csv
import io
from pathlib import Path

FAULTS = """\
Netzkabel;2,5
Türschloss;6
Aquastop ausgelöst;3,5
Zulauf geknickt;5
Magnetventil;6,5
Niveauschalter;3
Flusensieb voll;17
Laugenpumpe;12
Heizstab;9
Temperaturfühler;2,5
Keilriemen;5
Motorkohlen;11
Motor;2
Stoßdämpfer;7,5
Trommellager;5,5
Steuerplatine;2
"""
CHECKS = """\
Anzeige leuchtet?;0,5;ja;nein: Netzkabel, Steuerplatine
Tür verriegelt?;0,5;ja;nein: Netzkabel, Türschloss, Steuerplatine
Wasser läuft zu?;3;ja;nein: Netzkabel, Türschloss, Aquastop ausgelöst, Magnetventil, Steuerplatine; \
langsam: Zulauf geknickt; dauernd: Niveauschalter
Wasser läuft ab?;3;ja;nein: Netzkabel, Laugenpumpe, Steuerplatine; langsam: Flusensieb voll
Trommel dreht?;2;ja;nein: Netzkabel, Türschloss, Aquastop ausgelöst, Magnetventil, Keilriemen, Motor, \
Steuerplatine; ruckt: Motorkohlen
Wasser wird warm?;22,5;ja;nein: Netzkabel, Türschloss, Aquastop ausgelöst, Magnetventil, Niveauschalter,\
 Heizstab, Steuerplatine; zu heiß: Temperaturfühler
Geräusch beim Schleudern;6;keins;normal: Zulauf geknickt, Heizstab, Temperaturfühler; leise: \
Motorkohlen; rumpelt: Stoßdämpfer; dröhnt: Trommellager
Flusensieb ansehen;2,5;sauber;voll: Flusensieb voll
Pumpe brummt?;1;ja;nein: Netzkabel, Laugenpumpe, Steuerplatine
Ventil durchmessen;12;normal;unterbrochen: Magnetventil
Heizstab durchmessen;15;normal;unterbrochen: Heizstab
Schwimmer im Boden;4,5;trocken;nass: Aquastop ausgelöst
Spannung an der Steckerleiste;8;230 V;0 V: Netzkabel
Rückwand ab, Riemen ansehen;10;heil;gerissen: Keilriemen
Trommel von Hand drehen;1,5;leicht;sehr leicht: Keilriemen; schwingt nach: Stoßdämpfer; rau: \
Trommellager
"""
"""Each with its minutes, its usual answer, and the faults that answer otherwise."""

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
Disease;Prior;Fever;Onset;Pain;Rash;Neck stiff;Cough;Blood count;CRP;Urine strip;Chest film;Throat swab;\
Spinal tap
Influenza;31.5 %;high;sudden;muscles;no;no;dry;normal;normal;clear;clear;negative;not done
Common cold;40 %;none;slow;throat;no;no;dry;normal;normal;clear;clear;negative;not done
Strep throat;7 %;high;sudden;throat;no;no;none;neutrophils;raised;clear;clear;positive;not done
Glandular fever;2.5 %;mild;slow;throat;no;no;none;lymphocytes;normal;clear;clear;negative;not done
Scarlet fever;0.8 %;high;sudden;throat;fine;no;none;neutrophils;raised;clear;clear;positive;not done
Measles;0.1 %;high;slow;none;blotchy;no;dry;low;normal;clear;clear;negative;not done
Lobar pneumonia;2.2 %;high;sudden;chest;no;no;wet;neutrophils;high;clear;shadow;negative;not done
Atypical pneumonia;1.6 %;mild;slow;none;no;no;dry;normal;raised;clear;patchy;negative;not done
Bronchitis;6.4 %;mild;slow;chest;no;no;wet;normal;normal;clear;clear;negative;not done
Tuberculosis;0.05 %;mild;slow;none;no;no;wet;normal;raised;clear;shadow;negative;not done
Cystitis;3.4 %;none;slow;belly;no;no;none;normal;normal;cloudy;clear;negative;not done
Pyelonephritis;0.9 %;high;sudden;flank;no;no;none;neutrophils;high;cloudy;clear;negative;not done
Bacterial meningitis;0.02 %;high;sudden;head;no;yes;none;neutrophils;high;clear;clear;negative;cloudy
Meningococcal sepsis;0.01 %;high;sudden;head;purple;yes;none;neutrophils;high;clear;clear;negative;cloudy
Viral meningitis;0.12 %;high;sudden;head;no;yes;none;lymphocytes;normal;clear;clear;negative;clear
Appendicitis;1.1 %;mild;slow;belly;no;no;none;neutrophils;raised;clear;clear;negative;not done
Gastroenteritis;2.3 %;mild;sudden;belly;no;no;none;normal;normal;clear;clear;negative;not done
Cost (EUR);;0.5;0.5;0.5;1.25;1.25;1;4.8;6.35;2.15;28.4;11.9;86.7
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

THROAT = """\
test,virus,strep,glandular fever,abscess,cost,sensitivity,specificity,group,set-up
cough?,yes,no,no,no,0.5,0.6,0.7,,
jaw opens with pain?,no,no,no,yes,0.5,0.8,0.9,,
strep test,no,yes,no,no,6,0.86,0.95,,
mono test,no,no,yes,no,7,0.8,0.95,blood,6
CRP,no,yes,no,yes,4,0.75,0.75,blood,
ultrasound,no,no,no,yes,35,0.95,0.9,,
weight,70 %,19 %,8 %,3 %,,,,,
decide wait,0,90,15,2500,,,,,
decide antibiotic,40,0,110,1500,,,,,
decide refer,220,200,170,0,,,,,
"""
BOILER = """\
test,no gas,electrode,flame sensor,thermostat,pump,board,minutes,group,set-up
display shows F1?,yes:9/no:1,yes:9/no:1,yes:9/no:1,no,no:9/yes:1,yes/no,1,,
kitchen gas works?,no,yes,yes,yes,yes,yes,1,,
thermostat turned up,nothing,nothing,nothing,starts:7/nothing:3,nothing,nothing,1,,
spark at the window,spark,none:9/spark:1,spark,none,spark,none:2/spark:1,2,casing,10
current of the flame,none,none,low:9/good:1,none,good,good/none,6,casing,
new electrode,not yet,fixed:19/not yet:1,not yet,not yet,not yet,not yet,12,casing,
new flame sensor,not yet,not yet,fixed:9/not yet:1,not yet,not yet,not yet,15,casing,
new thermostat,not yet,not yet,not yet,fixed,not yet,not yet,20,,
new pump,not yet,not yet,not yet,not yet,fixed:19/not yet:1,not yet,45,casing,
decide call service,150,150,150,150,150,150,,,
decide call the gas works,10,200,200,200,200,200,,,
weight,8,30,22,18,12,10,,,
"""
SEDGES = """\
test,hairy sedge,common sedge,glaucous sedge,carnation sedge,pill sedge,spring sedge,flea sedge,minutes
leaves,hairy,bare,bare,bare,bare/hairy,bare,bare,0.5
colour of the leaves,green,green/grey,grey,grey,green,green,green,0.5
spikes,several,several,several,several,several,several,one,0.5
male spikes,two:2/three:1,one:3/two:1,two:2/one:1,one,one,one,one,1
fruit,hairy,bare,bare,bare,hairy,hairy,bare,2
beak of the fruit,long,short,short,short,short,short,short,2
stigmas,three,two,three,three,three,three,two,3
root,creeping,creeping/tufted,creeping,creeping,tufted,creeping/tufted,,5
"""


def technician() -> bytes:
    """Return an export of a German Excel."""
    faults = [line.split(";") for line in FAULTS.splitlines()]
    rows = [["Prüfung", "Minuten", *(fault for fault, _ in faults)]]
    for line in CHECKS.splitlines():
        check, minutes, usual, *others = line.split(";")
        answer = {
            fault.strip(): a.strip()
            for a, _, some in (one.partition(":") for one in others)
            for fault in some.split(",")
        }
        rows.append([check, minutes, *(answer.get(fault, usual) for fault, _ in faults)])
    rows.append(["Wahrscheinlichkeit", "", *(f"{percent} %" for _, percent in faults)])
    return "".join(";".join(row) + "\r\n" for row in rows).encode("cp1252")


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
    return b"\xff\xfe" + DOCTOR.replace(";", "\t").replace("\n", "\r\n").encode("utf-16-le")


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
    "throat.csv": THROAT.encode,
    "boiler.csv": BOILER.encode,
    "sedges.csv": SEDGES.encode,
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
