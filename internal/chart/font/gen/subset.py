"""Makes the embedded font files from the fonts that README.md names.

    python3 subset.py SOURCES DATA

SOURCES is a folder with the sources under the names below, DATA the folder of
the files that the program embeds. The same sources and the same fontTools give
the same bytes.
"""
import os
import sys
import unicodedata

from fontTools import subset
from fontTools.ttLib import TTFont

# A fallback is made for text that the fonts before it in the list lack.
INTER = [("Inter-Regular.woff2", "regular.ttf"), ("Inter-SemiBold.woff2", "bold.ttf")]
NOTO = ["Arabic", "Hebrew", "Armenian", "Georgian", "Devanagari", "Bengali", "Gurmukhi",
        "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao",
        "Myanmar", "Khmer", "Ethiopic", "Symbols2", "Math"]


def load(path, number=0):
    return TTFont(path, fontNumber=number, lazy=False, recalcTimestamp=False)


def cut(font, characters, features):
    """Leaves only characters, and of the layout tables only features."""
    o = subset.Options()
    o.hinting = False
    o.layout_features = features
    o.name_IDs = [0, 5, 13, 14]
    o.glyph_names = False
    o.notdef_outline = False
    o.drop_tables += ["STAT", "DSIG", "meta", "vhea", "vmtx", "VORG", "BASE", "gasp", "HVAR", "MVAR"]
    s = subset.Subsetter(o)
    s.populate(unicodes=characters)
    s.subset(font)
    font.flavor = None


def drawable(code):
    return unicodedata.category(chr(code)) not in ("Co", "Cc", "Cs", "Cn", "Zl", "Zp")


def inter(source, target):
    font = load(source)
    if target.endswith("regular.ttf"):
        tabular(font)
    cut(font, [c for c in font.getBestCmap() if drawable(c)], ["kern", "mark", "mkmk", "ccmp", "locl"])
    font.save(target)


def tabular(font):
    """Gives the figures one width. The feature tnum would widen spaces and
    points as well."""
    for table in font["cmap"].tables:
        for figure, name in zip(range(0x30, 0x3A), "zero one two three four five six seven eight nine".split()):
            if figure in table.cmap:
                table.cmap[figure] = name + ".tf"


def main(sources, data):
    for source, target in INTER:
        inter(os.path.join(sources, source), os.path.join(data, target))


if __name__ == "__main__":
    main(*sys.argv[1:])
