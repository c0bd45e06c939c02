"""Makes the embedded font files from the fonts listed in README.md.

    python3 subset.py SOURCES DATA

SOURCES is a folder with the fonts listed in README.md, DATA the folder of the
embedded files. The same sources and the same fontTools give
the same bytes.
"""
import os
import sys
import unicodedata

from fontTools import subset
from fontTools.ttLib import TTFont

# If several fonts have a character, the first one is used. faces.go has the same
# order.
SYMBOLS = range(0x2010, 0x2C00)
BRAILLE = range(0x2800, 0x2900)
FILLERS = (0x115F, 0x1160, 0x3164, 0xFFA0)  # blank letters of hangul
FACES = [
    ("regular.ttf", "Inter-Regular.woff2"),
    ("bold.ttf", "Inter-SemiBold.woff2"),
    ("rest.ttf", "NotoSans-Regular.ttf"),  # Latin, Greek and Cyrillic that Inter lacks
    ("arabic.ttf", "NotoSansArabic-Regular.ttf"),
    ("hebrew.ttf", "NotoSansHebrew-Regular.ttf"),
    ("armenian.ttf", "NotoSansArmenian-Regular.ttf"),
    ("georgian.ttf", "NotoSansGeorgian-Regular.ttf"),
    ("devanagari.ttf", "NotoSansDevanagari-Regular.ttf"),
    ("bengali.ttf", "NotoSansBengali-Regular.ttf"),
    ("gurmukhi.ttf", "NotoSansGurmukhi-Regular.ttf"),
    ("gujarati.ttf", "NotoSansGujarati-Regular.ttf"),
    ("oriya.ttf", "NotoSansOriya-Regular.ttf"),
    ("tamil.ttf", "NotoSansTamil-Regular.ttf"),
    ("telugu.ttf", "NotoSansTelugu-Regular.ttf"),
    ("kannada.ttf", "NotoSansKannada-Regular.ttf"),
    ("malayalam.ttf", "NotoSansMalayalam-Regular.ttf"),
    ("sinhala.ttf", "NotoSansSinhala-Regular.ttf"),
    ("thai.ttf", "NotoSansThai-Regular.ttf"),
    ("lao.ttf", "NotoSansLao-Regular.ttf"),
    ("myanmar.ttf", "NotoSansMyanmar-Regular.ttf"),
    ("khmer.ttf", "NotoSansKhmer-Regular.ttf"),
    ("ethiopic.ttf", "NotoSansEthiopic-Regular.ttf"),
    ("thaana.ttf", "NotoSansThaana-Regular.ttf"),
    ("aboriginal.ttf", "NotoSansCanadianAboriginal-Regular.ttf"),
    ("tifinagh.ttf", "NotoSansTifinagh-Regular.ttf"),
    ("math.ttf", "NotoSansMath-Regular.ttf"),
    ("symbols.ttf", "NotoSansSymbols-Regular.ttf"),
    ("dingbats.ttf", "NotoSansSymbols2-Regular.ttf"),
    ("cjk.otf", "NotoSansCJK-Regular.ttc"),
]
SIMPLIFIED = 2  # the font of the CJK collection whose shapes are taken
NONE = 0xFF  # in coverage.bin: no font has the character

INTER_FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl"]
# The locl of the CJK font holds the shapes of other countries: 2.3 MB more.
FEATURES = {"regular.ttf": INTER_FEATURES, "bold.ttf": INTER_FEATURES, "cjk.otf": ["ccmp", "mark", "mkmk", "kern"]}
# Text is horizontal, and words are never stretched or decorated.
NOTO_FEATURES = sorted(set(subset.Options().layout_features) - {
    "vert", "vrt2", "vkrn", "vpal", "vhal", "valt", "vchw", "halt", "palt", "chws", "jalt",
    "frac", "numr", "dnom", "rand", "mset", "BUZZ", "Buzz", "HARF", "Harf"})


def main(sources, data):
    fonts = {}
    for target, source in FACES:
        fonts[target] = TTFont(os.path.join(sources, source), lazy=False, recalcTimestamp=False,
                               fontNumber=SIMPLIFIED if source.endswith(".ttc") else 0)
    coverage = bytearray([NONE] * 0x10000)
    for number, (target, _) in enumerate(FACES):
        kept = {c for c in fonts[target].getBestCmap() if wanted(target, c)}
        if number > 1:
            kept -= inter - (LETTERS if target == "rest.ttf" else set())
        else:
            inter = kept
        cut(fonts[target], kept, target)
        fonts[target].save(os.path.join(data, target))
        for c in fonts[target].getBestCmap():
            if coverage[c] == NONE:
                coverage[c] = number
    with open(os.path.join(data, "coverage.bin"), "wb") as f:
        f.write(coverage)


# rest.ttf draws letters with marks that Inter lacks, including the letter.
LETTERS = {ord(c) for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzı"}


def wanted(target, code):
    """Reports whether a face takes a character from its source."""
    if code > 0xFFFF or unicodedata.category(chr(code)) in ("Co", "Cc", "Cs", "Cn", "Zl", "Zp"):
        return False
    if code in FILLERS:
        return False
    if target in ("math.ttf", "symbols.ttf", "dingbats.ttf"):
        return code in SYMBOLS and code not in BRAILLE
    if target == "cjk.otf":
        return code in CJK
    return True


def cut(font, characters, target):
    """Reduces a font to what is needed to draw the characters."""
    if target == "regular.ttf":
        tabular(font)
    o = subset.Options()
    o.hinting = False
    o.layout_features = FEATURES.get(target, NOTO_FEATURES)
    o.name_IDs = [0, 5, 13, 14]  # copyright, version, licence, its address
    o.glyph_names = False
    o.notdef_outline = False
    o.drop_tables += ["STAT", "DSIG", "meta", "vhea", "vmtx", "VORG", "BASE", "gasp", "MATH"]
    s = subset.Subsetter(o)
    s.populate(unicodes=characters)
    s.subset(font)
    font.flavor = None


def tabular(font):
    """Gives all figures the same width. The feature tnum would also widen
    spaces and points."""
    names = "zero one two three four five six seven eight nine".split()
    for table in font["cmap"].tables:
        for figure, name in enumerate(names, ord("0")):
            if figure in table.cmap:
                table.cmap[figure] = name + ".tf"


def charset(codec, first, last, seconds):
    """The characters of some rows of a double-byte character set."""
    found = set()
    for a in range(first, last + 1):
        for b in seconds:
            try:
                found.add(ord(bytes([a, b]).decode(codec)))
            except (UnicodeDecodeError, TypeError):
                pass  # a place of the set that is empty
    return found


HIGH = range(0xA1, 0xFF)
CJK = (
    charset("gb2312", 0xB0, 0xF7, HIGH)  # simplified Chinese, levels 1 and 2
    | charset("big5", 0xA4, 0xC6, [*range(0x40, 0x7F), *HIGH])  # traditional Chinese, level 1
    | charset("euc_jp", 0xB0, 0xF4, HIGH)  # kanji of JIS X 0208
    | charset("euc_kr", 0xB0, 0xFD, HIGH)  # hangul and hanja of KS X 1001
    | set(range(0x3000, 0x3100))  # punctuation, kana
    | set(range(0x3105, 0x3130)) | set(range(0x3131, 0x318F))  # bopomofo, letters of hangul
    | set(range(0x31F0, 0x3400))  # small kana, circled and squared
    | set(range(0xFF01, 0xFFEF))  # full and half width
)

if __name__ == "__main__":
    main(*sys.argv[1:])
