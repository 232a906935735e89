import unicodedata

TITLE = "Text of the world"
ABOUT = "Characters as a reader counts them, letter case in every script, and texts that look equal made equal."
COMMAND = "streamrun stream.json --input texts.txt"
PARTS = [
    ("e\u0301", 1),
    ("é", 1),
    ("ß", 1),
    ("ж", 1),
    ("🇳🇴", 1),
    ("👨‍👩‍👧", 1),
    ("नि", 1),
    ("한", 1),
    ("a", 1),
    ("中", 1),
    (" ", 1),
]


def data(random):
    return {
        "texts.txt": "".join(
            "".join(random.choice(PARTS)[0] + "-" for _ in range(random.randrange(1, 9))) + "\n" for _ in range(200)
        )
    }


def expected(data):
    for line in data["texts.txt"].splitlines():
        yield {"characters": 2 * line.count("-"), "upper": line.upper(), "normal": unicodedata.normalize("NFC", line)}
