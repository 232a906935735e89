import re
from collections import Counter

TITLE = "Words"
ABOUT = "The ten most frequent words of a text."
COMMAND = "streamrun stream.json --input text.txt"
WORDS = "Der die und Straße the Cat über ÉTÉ naïve Ж я".split()


def data(random):
    return {
        "text.txt": "".join(
            " ".join(random.choices(WORDS, k=12)) + random.choice([".", ",", "!?"]) + "\n" for _ in range(100)
        )
    }


def expected(data):
    counts = Counter(re.findall(r"[^\W\d_]+", data["text.txt"].lower()))
    return [[{"word": word, "n": n} for word, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:10]]]
