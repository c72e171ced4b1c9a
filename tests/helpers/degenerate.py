"""Certificates of degenerate games, extreme numbers and odd files, with what is true of each.

Every entry is what follows ``guesstree-proof/1`` and whether it is true and simple enough to be accepted.
"""

from hashlib import sha256
from pathlib import Path

PLAIN = [
    ",s,t\ng,a,b\n",
    ",s,t\ng,a,b",
    "cost,s,t\ncost,a,b\n",
    ",,\n,a,b\n",
    ',"s,1",t\ng,"a,b",b\n',
    ',"s""",t\n"g","""a""b",b\n',
    ",s,t\ng,\u00e9,e\u0301\n",
    ",s,t\ng,a,a\u00a0\n",
    ",s,t\ng,a,\u2028\n",
]
"""Tables of two secrets that one guess tells apart."""

ODD = {
    "byte order mark": "\ufeff,s,t\ng,a,b\n",
    "line ends of Windows": ",s,t\r\ng,a,b\r\n",
    "CR in a cell": ",s,t\ng,a,b\rc\n",
    "CR in quotation marks": ',s,t\ng,a,"b\r"\n',
    "NUL": ",s,t\ng,a,b\0\n",
    "NUL at the end": ",s,t\ng,a,b\n\0",
    "tab": ",s,t\ng,a,\tb\n",
    "vertical tab": ",s,t\ng,a,b\x0b\n",
    "separator": ",s,t\ng,a,b\x1cb\n",
    "DEL": ",s,t\ng,a,b\x7f\n",
    "text behind a quotation mark": ',s,t\ng,a,"b"c\n',
    "text behind a quotation mark in the first row": ',s,"t"u\ng,a,b\n',
    "a quotation mark inside": ',s,t\ng,a,b"\n',
    "two quotation marks inside": ',s,t\ng,a,b""\n',
    "a blank before a quotation mark": ',s,t\ng,a, "b"\n',
    "a blank behind a quotation mark": ',s,t\ng,a,"b" \n',
    "three quotation marks": ',s,t\ng,a,"""\n',
    "an open quotation mark": ',s,t\ng,a,"b\n',
    "a line end in quotation marks": ',"s\n",t\ng,a,b\n',
    "a row in quotation marks": ',s,t\ng,a,"b\nh,a,b"\n',
    "a blank before": ",s, t\ng,a,b\n",
    "a blank behind": ",s,t\ng,a,b \n",
    "a blank in quotation marks": ',s,t\ng,a," b"\n',
    "an empty line": ",s,t\n\ng,a,b\n",
    "an empty line at the end": ",s,t\ng,a,b\n\n",
    "a blank line": ",s,t\n \ng,a,b\n",
    "an empty cell": ",s,t\ng,a,\n",
    "an empty cell in quotation marks": ',s,t\ng,a,""\n',
    "a row too short": ",s,t\ng,a\n",
    "a row too long": ",s,t\ng,a,b,c\n",
    "nothing": "",
    "a line end alone": "\n",
    "no secret": "x\ng\n",
    "no guess": ",s,t\n",
    "two columns of costs": ",s,t,cost,cost\ng,a,b,1,2\n",
    "two columns of costs of a response": ",s,t,cost:a,cost:a\ng,a,b,1,2\n",
    "two rows of weights": ",s,t\nweight,1,2\ng,a,b\nweight,1,2\n",
    "weights alone": ",s,t\nweight,1,2\n",
}
"""Tables that no checker takes."""

PRICED = {
    "a column of costs": ",s,t,cost\ng,a,b,1\n",
    "costs of a response": ",s,t,cost:a\ng,a,b,1\n",
    "a row of weights": ",s,t\nweight,1,1\ng,a,b\n",
}
"""Tables that are for games with costs alone."""

CODES = {
    "mastermind 1 1 win - - 1 .": True,
    "mastermind 1 1 win - - 2 .": False,
    "mastermind 1 1 win - 0 inf .": True,
    "mastermind 1 1 win - 1 inf .": False,
    "mastermind 14 1 win - - 2 .": False,
    "mastermind 1 2 win - - 3 .": True,
    "mastermind 1 2 win - - 4 .": False,
    "blackpeg 1 9 win - - 45 .": True,
    "blackpeg 1 9 win - - 46 .": False,
    "bulls 1 1 win - - 1 .": True,
    "bulls 2 2 win - - 3 .": True,
    "bulls 2 2 win - - 4 .": False,
    "bulls 2 1 win - - 0 .": False,
    "bulls 9 8 win - - 0 .": False,
    "mastermind 0 2 win - - 0 .": False,
    "mastermind 2 0 win - - 0 .": False,
    "mastermind 2 37 win - - 0 .": False,
    "mastermind 02 2 win - - 0 .": False,
    "mastermind 15 2 win - 1 inf .": False,
    "mastermind 5 11 win - 1 inf .": False,
    "mastermind 2 2 win - 100000 8 .": True,
    "mastermind 2 2 win - 100001 8 .": False,
    "mastermind 2 2 win - 0100 8 .": False,
    "mastermind 2 2 win - - 08 .": False,
    "mastermind 2 2 win - - 0 .": True,
    "mastermind 2 2 win - - 00 .": False,
    "mastermind 2 2 win - 1 999999999999 .": True,
    "mastermind 2 2 win - 1 1000000000000 .": False,
    "mastermind 2 2 win - - 1000000000000 .": False,
    f"mastermind 2 2 win - 1 {2**63} .": False,
    f"mastermind 2 2 win - {2**64} 8 .": False,
}
"""Codes, any first guess, to win: what the checker that is proved takes too."""

PLAIN_GAMES = CODES | {
    "blackpeg 1 36 win - - 666 .": True,
    "blackpeg 1 36 win - - 667 .": False,
    "mastermind 1 1 identify - - 0 .": True,
    "mastermind 1 1 identify - - 1 .": False,
    "mastermind 1 1 identify - 0 inf .": False,
    "mastermind 1 1 identify 0 - 1 .": False,
    "mastermind 1 1 win 0 - 1 .": True,
    "mastermind 1 1 win 0 - 2 .": False,
    "mastermind 1 1 win-candidates - - 2 .": False,
}

TABLES: list[tuple[str, str, bool]] = [
    (",s\ng,a\n", "identify - - 0 .", True),
    (",s\ng,a\n", "identify - - 1 .", False),
    (",s\ng,a\n", "identify 1 - 1 .", False),
    (",s\ng,a\n", "win - - inf .", True),
    (",s\ng,win\n", "win - - 1 .", True),
    (",s\ng,win\n", "win - - 2 .", False),
    (",s\ng,a\nh,win\n", "win 1 - 2 .", True),
    (",s\ng,a\nh,win\n", "win 1 - 3 .", False),
    (",s,t\ng,a,a\n", "identify - - inf .", True),
    (",s,t\ng,a,a\nh,a,b\n", "identify - - 2 .", True),
    (",s,t\ng,a,a\nh,a,b\n", "identify - - 3 .", False),
    (",s,t\ng,a,a\nh,a,b\n", "identify 1 - 4 .", True),
    (",s,t\ng,a,a\nh,a,b\n", "identify 1 - 5 .", False),
    (",s,t\ng,a,a\nh,a,b\n", "identify 1 - inf .", False),
    (",s,t\ng,a,a\nh,a,b\n", "identify 1 1 inf .", True),
    (",s,t\ng,a,a\nh,a,b\n", "identify 3 - 0 .", False),
    (",s,t\ng,a,a\nh,a,b\n", "identify 0 - 0 .", False),
    (",s,t\ng,a,a\nh,a,b\n", "identify 02 - 0 .", False),
    (",s,t\ng,win,win\n", "win - - 0 .", False),
    (",s,s\ns,a,b\n", "identify-candidates - - 0 .", False),
    (",s,t\ns,a,b\ns,a,b\n", "identify-candidates - - 0 .", False),
    (",s,t\ns,a,b\ns,a,b\n", "identify - - 2 .", True),
    (",s,t\ng,a,b\n", "identify-candidates - - inf .", True),
    (",s,t\ng,win,b\nh,win,b\n", "win-candidates - - 0 .", False),
    (f",{','.join('s' * 254)}\ng,{','.join(map(str, range(254)))}\n", "identify - - 254 .", True),
    (f",{','.join('s' * 254)}\ng,{','.join(map(str, range(254)))}\n", "identify - - 255 .", False),
    (f",{','.join('s' * 255)}\ng,{','.join(map(str, range(255)))}\n", "identify - - 0 .", False),
]

WORDS: list[tuple[str, str, bool]] = [
    ("abc\n", "win - - 1 .", True),
    ("abc\n", "win - - 2 .", False),
    ("abc", "identify - - 0 .", True),
    ("a\nb\n", "win - - 3 .", True),
    ("a\nb\n", "win - - 4 .", False),
    ("", "win - - 0 .", False),
    ("\n", "win - - 0 .", False),
    ("abc\n\n", "win - - 0 .", False),
    ("abc\n\nabd\n", "win - - 0 .", False),
    ("\ufeffabc\n", "win - - 0 .", False),
    ("abc\r\nabd\r\n", "win - - 0 .", False),
    ("abc\rabd\n", "win - - 0 .", False),
    ("abc abd\n", "win - - 0 .", False),
    ("abc\nabc\n", "win - - 0 .", False),
    ("abc\nabcd\n", "win - - 0 .", False),
    ("abcdef\n", "win - - 0 .", False),
    ("ABC\n", "win - - 0 .", False),
    ("abc\0\n", "win - - 0 .", False),
]

LYING = {
    "lies 3 mastermind 1 1 win - 0 inf .": True,
    "lies 3 mastermind 1 1 win - 1 inf .": False,
    "lies 3 mastermind 1 1 win - 6 inf .": False,
    "lies 7 mastermind 1 1 win - 64 inf .": False,
    "lies 8 mastermind 1 1 win - 0 inf .": False,
    "lies 03 mastermind 1 1 win - 0 inf .": False,
    "lies 7 bulls 1 1 win 0 1 inf .": False,
    "lies 1 mastermind 1 1 identify - 0 inf .": False,
    "lies 0 mastermind 1 2 win - 1 inf .": True,
    "lies 0 mastermind 1 2 win - 2 inf .": False,
    "lies 7 mastermind 1 2 win - 2 inf .": False,
    "lies 0 mastermind 14 1 win - 0 inf .": True,
    "lies 0 mastermind 15 2 win - 0 inf .": False,
    "lies 0 mastermind 2 2 win - 65 inf .": False,
    "lies 7 blackpeg 1 9 win - 8 inf .": True,
    "lies 7 mastermind 2 6 identify - 50 inf .": False,
}

LYING_TABLES: list[tuple[str, str, bool]] = [
    (",s\ng,win\n", "win - 0 inf .", True),
    (",s\ng,win\n", "win - 1 inf .", False),
    (",s\ng,win\n", "win - 64 inf .", False),
    (",s\ng,a\n", "win - 64 inf .", True),
    (",s\ng,a\n", "identify - 0 inf .", False),
    (",s,t\ng,a,a\n", "identify - 64 inf .", True),
    (",s,t\ng,a,a\n", "identify - 65 inf .", False),
    (",s,t\ng,a,a\nh,a,b\n", "identify 1 1 inf .", True),
    (",s,t\ng,a,a\nh,a,b\n", "identify 2 1 inf .", True),
    (",s,t\ng,a,a\nh,a,b\n", "identify 2 5 inf .", False),
    (",s,t\ng,win,a\nh,a,win\n", "win - 1 inf .", True),
    (",s,t\ng,win,a\nh,a,win\n", "win - 2 inf .", False),
]
"""With two lies."""

MUCH = "1" + "0" * 15
SAME = "g,y,y,n,0,10000000\n"
PAID: list[tuple[str, str, bool]] = [
    (",s,t,cost\ng,1,2,0\nh,1,1,1000000000\nweight,2000000000,1,\n", "identify 2 - inf .", False),
    (f",s,t,cost\ng,1,2,0\nh,1,1,{MUCH}\nweight,2000000000,1,\n", "identify 2 - inf .", False),
    (",s,t,cost\ng,1,2,0\nh,1,1,1000\nweight,2,1,\n", "identify 2 - 3000 .", True),
    (",s,t,cost\ng,1,2,0\nh,1,1,1000\nweight,2,1,\n", "identify 2 - 3001 .", False),
    (",s,t,cost\ng,1,2,0\nh,1,1,1000\nweight,2,1,\n", "identify 2 - inf .", False),
    (",s,t,cost\ng,1,2,0\nh,1,1,1000\nweight,2,1,\n", "identify 2 999 inf .", True),
    (",s,t,cost\ng,1,2,0\nh,1,1,1000\nweight,2,1,\n", "identify 2 999 lost:3 .", True),
    (",s,t,cost\ng,1,2,0\nh,1,1,1000\nweight,2,1,\n", "identify 2 1000 lost:1 .", False),
    (f",s,t,cost\ng,a,b,{MUCH}\n", f"identify - - 2{MUCH[1:]} .", False),
    (f",s,t,cost\ng,a,b,{MUCH}\n", f"identify - - {MUCH} .", True),
    (f",s,t,cost\ng,a,b,{MUCH}0\n", "identify - - 0 .", False),
    (f",s,t,cost\ng,a,b,{MUCH}\nweight,25,25,\n", "identify - - 0 .", True),
    (f",s,t,cost\ng,a,b,{MUCH}\nweight,25,26,\n", "identify - - 0 .", False),
    (f",s,t\ng,a,b\nweight,{MUCH},{MUCH}\n", f"identify - - {MUCH} .", True),
    (f",s,t\ng,a,b\nweight,{MUCH},{MUCH}\n", f"identify - {MUCH} lost:0 .", False),
    (f",s,t\ng,a,b\nweight,{MUCH},{MUCH}\n", f"identify - 0 lost:{MUCH} .", True),
    (",s,t\ng,a,b\n", "identify - 0 lost:2 .", True),
    (",s,t\ng,a,b\n", "identify - 0 lost:3 .", False),
    (",s,t\ng,a,b\n", "identify - 0 lost:2:0 .", True),
    (",s,t\ng,a,b\n", "identify - 0 lost:2:1 .", False),
    (",s,t\ng,a,b\n", "identify - 1 lost:0:2 .", True),
    (",s,t\ng,a,b\n", "identify - 1 lost:0:3 .", False),
    (",s,t\ng,a,b\n", "identify - - lost:0 .", False),
    (",s,t\ng,a,b\n", f"identify - {2**63} 0 .", False),
    (",s,t\ng,a,b\n", "identify - - 02 .", False),
    (",s,t\ng,a,b\nweight,01,1\n", "identify - - 2 .", False),
    (",s,t\ng,a,b\nweight,0,1\n", "identify - - 0 .", False),
    (",s,t\ng,a,b\nweight,-1,1\n", "identify - - 0 .", False),
    (",s,t,cost\ng,a,b,\n", "identify - - 0 .", False),
    (",s,t,cost\ng,a,b,1.5\n", "identify - - 0 .", False),
    (",s,t,cost:a\ng,a,b,5\n", "identify - - 6 .", True),
    (",s,t,cost:a\ng,a,b,5\n", "identify - - 7 .", False),
    (",s,t,cost:a\ng,a,b,\n", "identify - - 3 .", False),
    (',s,t,"cost: a"\ng,a,b,5\n', "identify - - 2 .", True),
    (",s\ng,a\n", "identify - - 0 .", True),
    (",s\ng,a\n", "identify - - 1 .", False),
    (",s\ng,a\n", "identify - 0 inf .", False),
    (",s\ng,a\n", "win - - 0 .", False),
    (",s\ng,win\n", "win - - 1 .", True),
    (",s\ng,win\n", "win - - 2 .", False),
    (",s\ng,win\n", "win - 0 inf .", True),
    (f",s,cost\ng,a,{MUCH}\nh,win,0\n", "win - - 1 .", False),
    (f",s,cost\ng,a,{MUCH}\nh,win,0\n", f"win 1 - {MUCH} .", True),
    (",s,cost\ng,a,7\nh,win,2\n", "win 1 - 9 .", True),
    (",s,cost\ng,a,7\nh,win,2\n", "win 1 - 10 .", False),
    (",s,t\ng,a,a\n", "identify - - inf .", True),
    (",s,t\ng,win,win\n", "win - - 0 .", False),
    (f",A,B,C,cost,cost:y\n{SAME * 500}weight,{10**9},{10**9},1,,\n", "identify - - inf .", True),
]
"""With costs and weights."""


def about(folder: Path, words: str, content: str, rest: str) -> str:
    """Return the certificate of a table; `words`: what stands before its hash."""
    data = content.encode()
    (folder / "t.csv").write_bytes(data)
    return f"{words} {sha256(data).hexdigest()} t.csv {rest}"


def of_words(folder: Path, content: str, rest: str) -> str:
    """Return the certificate of a list of words, all of which are secrets."""
    data = content.encode()
    name = f"{sha256(data).hexdigest()}.txt"
    (folder / name).write_bytes(data)
    return f"wordle {name} {name} {rest}"
