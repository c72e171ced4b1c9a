"""Trees of other programs, for a lamp that does not work and for seven words."""

from base64 import b85decode
from pathlib import Path

LAMP = """\
test,bulb,fuse,switch,mains
swap the bulb,works,dark,dark,dark
measure at the socket,live,dead,live,dead
press the switch,dark,dark,click,dark
lamp in the next room,on,on,on,off
"""
PRINTED = """\
measure at the socket == 'dead' not satisfied
|   swap the bulb == 'works' not satisfied
|   |   Label: 2
|   swap the bulb == 'works' satisfied
|   |   Label: 0
measure at the socket == 'dead' satisfied
|   lamp in the next room == 'off' not satisfied
|   |   Label: 1
|   lamp in the next room == 'off' satisfied
|   |   Label: 3
"""
"""What pystreed 1.4 prints for `STreeDClassifier(max_depth=2).fit(lamp, range(4))`."""
WORDS = ["abide", "crepe", "erase", "geese", "speed", "steal", "sweet"]
PUBLISHED = """\
geese BBBBG1 abide GGGGG2
      BBGBG1 crepe GGGGG2
      BBGYB1 steal GGGGG2
      BYBGG1 erase GGGGG2
      BYGYB1 speed GBGGB2 sweet GGGGG3
                   GGGGG2
      GGGGG1
"""
"""A tree for these words as Selby's program prints it."""
JOBLIB = b85decode(
    """\
c-qw#O>Z1EbY?%2O$gPd6(xMH0966Os*$QHNR_rINJtE9p)DYUkn5TCu1#h<qp_#kl|U+oq={rsc>fRl1CAVX<k(+8c=mdd$tG!f
;DV($&-48JKK-8kxG}v|^XyPBiS3x+oOfkTNEbyh7J>+^u6{xyCRobv1AWU-*^rT3|EAyjMgOeV)l!r*Npj%Osxe}mY1I;0%p?$j
5)vV`T1xOEG$5Izy02Cf#*x5D788Lis}5?aU8RC4Lml{P%@D_gji^M!97ht=%oacO+)yh<_K;v%<X~`LT{8cM2k~@ZDJwbVgET=x
Vo7uW&Kj{S$qF!i0(M0?!Gcs}TK}D9kgya*8NzW!afRu{B;~10Ig3yv4A&)oWCsETI;g8<j?zMAg%rs6({gb|T3z`u4PzE|d68rj
l(7inuhnYb{C=G0c=BzIv#c8FmMB8IU#q6wrPU%IV8aVcswpVWz`e!}%+q{e!tZavd>|)4r*D)q;H`aqQ}6FR(RcMa80p{A{eC}K
3mQR7>QF7?I8MhXNpPn3)N3;ftsaO08}Wp2iNcA5;0Em?Y#q80LR1QX7$EeH$I#IQ0IARu01UtYxLfxe9y_`OhyW<S^p7(15Z2>J
UbP0onN4%jO^R5uSxnS|h;WQe1nD(ZW1Gh=)AzyQ&y3CX6L{eER;%H}>s{c2^j6N5O=i>71}MCIvR2F&PP!=&PzAzYnI(+APT!)P
z~9mIZTb#<m)@Ws?9mTR$eK1@rM~H}{%jKX#y+!k2`XaQoL}&&;7}lokaK&S=cF$lNx!D*-`u=WP3up(zpj>JGL$HyEFNg}LT*dR
{Vh80pgtu9CuwS^t+Ft*IndSySC(46JgW#YK=Uh?69%n;kI*PZGDSwIme$TMo+tQ$x2tKNeiyU=-vQhP{H57BylCedaDGJ}1RcP4
VdpyFd+>i9@O>kp*r-VO{0s@3ySfN&2Y%3ozoQ)ahb}8#nJ3??j)UF||J`expto<AGuK<ax_8zn_aF3XCl`+PAI^<`9CpjUduQ79
wD(`_Z#uj%=g<Ge{^|9yUo1StadAfRK+YRa$^v?Dl=_9Lo<Dof#s@v`nfX0$ly*M7fbVp?pHJ?^^y&9*QiN*N^#a6k;;yf`VAU&~
rgmrZ{F>_7D%zig@^N$eSDA%#8}$mxNtALS^CFV=E<1g{1>TO{@<TmS>RWT_)hn%PlI?w`jN1PJZqX}ZjI)lUq!Si#h{kEY4ejgI
1YQ8(eg{jtCemn|NO&4x=!k1Ebh!@Wc7>BivXiIqoPZY(0jb^To27$o<ZcG^kmSNXiJBYTkGdPW2)q9R{`>)8
""".replace("\n", "")
)
"""What joblib 1.6 stores, compressed, of a `DecisionTreeClassifier` of scikit-learn 1.9 for the lamp.

Its three columns say whether a test has an answer, such as ``swap the bulb_works``.
"""


def write_strangers(folder: Path) -> None:
    """Write them, and what they are for."""
    (folder / "lamp.csv").write_text(LAMP)
    (folder / "lamp.txt").write_text(PRINTED)
    (folder / "lamp.joblib").write_bytes(JOBLIB)
    (folder / "words.txt").write_text("\n".join(WORDS))
    (folder / "words.tree").write_text(PUBLISHED)
