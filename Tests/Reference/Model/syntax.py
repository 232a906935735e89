"""The grammar of CEL (cel-spec's langdef): text to a tree of tuples.

    ("literal", value)  ("name", text)  ("select", operand, field, optional)  ("index", operand, index, optional)
    ("call", function, target or None, [arguments])  ("list", [(optional, element)])  ("map", [(optional, key, value)])

Operators are calls of `_+_`, `!_`, `_?_:_` …, as in CEL's own tables.
"""

import re

from values import INT_MAX, UINT_MAX, Failure, UInt

TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<double>\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
  | (?P<int>0[xX][0-9a-fA-F]+[uU]?|\d+[uU]?)
  | (?P<string>(?:[rR][bB]?|[bB][rR]?)?(?:\"{3}|'{3}|\"|'))
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<quoted>`[A-Za-z0-9_.\-/ ]+`)
  | (?P<symbol>&&|\|\||==|!=|<=|>=|[-+*/%!<>?:.,()\[\]{}])
""",
    re.VERBOSE,
)
ESCAPES = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "`": "`",
    "?": "?",
}
RESERVED = {
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
    "in",
    "true",
    "false",
    "null",
}
LEVELS = [["||"], ["&&"], ["==", "!=", "<", "<=", ">", ">=", "in"], ["+", "-"], ["*", "/", "%"]]


def wrong(message):
    return Failure("S201", message)


def tokens(text):
    """Pairs of a kind and a text or value, with ("end", "") as the last one."""
    result, position = [], 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise wrong(f"unexpected '{text[position]}'")
        position = match.end()
        if match.lastgroup == "string":
            value, position = string_literal(text, match.group(), position)
            result.append(("literal", value))
        elif match.lastgroup == "double":
            result.append(("literal", float(match.group())))
        elif match.lastgroup == "quoted":
            result.append(("quoted", match.group()[1:-1]))
        elif match.lastgroup != "space":
            result.append((match.lastgroup, match.group()))
    return result + [("end", "")]


def string_literal(text, opening, position):
    quote = opening.lstrip("rRbB")
    prefix = opening[: -len(quote)].lower()
    raw, is_bytes = "r" in prefix, "b" in prefix
    pieces = []
    while not text.startswith(quote, position):
        if position >= len(text) or len(quote) == 1 and text[position] in "\r\n":
            raise wrong("a string literal does not end")
        if text[position] == "\\" and raw:
            pieces.append(text[position : position + 2].encode() if is_bytes else text[position : position + 2])
            position += 2
        elif text[position] == "\\":
            piece, position = escape(text, position + 1, is_bytes)
            pieces.append(piece)
        else:
            pieces.append(text[position].encode() if is_bytes else text[position])
            position += 1
    return (b"" if is_bytes else "").join(pieces), position + len(quote)


def escape(text, position, is_bytes):
    letter = text[position : position + 1]
    if letter in ESCAPES and letter:
        return (ESCAPES[letter].encode() if is_bytes else ESCAPES[letter]), position + 1
    for form, base in (
        (r"[xX]([0-9a-fA-F]{2})", 16),
        (r"([0-3][0-7]{2})", 8),
        (r"u([0-9a-fA-F]{4})", 16),
        (r"U([0-9a-fA-F]{8})", 16),
    ):
        match = re.compile(form).match(text, position)
        if match:
            number = int(match.group(1), base)
            if is_bytes and letter in "uU" or number > 0x10FFFF or 0xD800 <= number < 0xE000:
                break
            return (bytes([number]) if is_bytes else chr(number)), match.end()
    raise wrong("an escape sequence is not valid")


class Parser:
    """Recursive descent over the tokens."""

    def __init__(self, text):
        self.tokens, self.position = tokens(text), 0

    @property
    def here(self):
        return self.tokens[self.position]

    def take(self, *symbols):
        """The text of the token here if it is one of these, which is then behind us."""
        form, text = self.here
        if form in ("symbol", "name") and text in symbols:
            self.position += 1
            return text
        return None

    def need(self, symbol):
        if not self.take(symbol):
            raise wrong(f"found '{self.here[1]}', expected '{symbol}'")

    def whole(self):
        tree = self.expression()
        if self.here[0] != "end":
            raise wrong(f"found '{self.here[1]}', expected an operator")
        return tree

    def expression(self):
        condition = self.binary(0)
        if not self.take("?"):
            return condition
        first = self.binary(0)
        self.need(":")
        return ("call", "_?_:_", None, [condition, first, self.expression()])

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while symbol := self.take(*LEVELS[level]):
            left = ("call", "@in" if symbol == "in" else f"_{symbol}_", None, [left, self.binary(level + 1)])
        return left

    def unary(self):
        if self.take("!"):
            return ("call", "!_", None, [self.unary()])
        if self.take("-"):
            if self.here[0] in ("int",) or self.here[0] == "literal" and isinstance(self.here[1], float):
                return self.member(self.primary(negative=True))
            return ("call", "-_", None, [self.unary()])
        return self.member(self.primary())

    def member(self, operand):
        while symbol := self.take(".", "["):
            optional = bool(self.take("?"))
            if symbol == "[":
                operand = ("index", operand, self.expression(), optional)
                self.need("]")
                continue
            form, field = self.here
            if form not in ("name", "quoted") or form == "name" and field in ("in", "true", "false", "null"):
                raise wrong(f"found '{field}', expected a field")
            self.position += 1
            if form == "name" and not optional and self.take("("):
                operand = ("call", field, operand, self.arguments(")"))
            else:
                operand = ("select", operand, field, optional)
        return operand

    def primary(self, negative=False):
        form, text = self.here
        self.position += 1
        if form == "int":
            return ("literal", self.integer(text, negative))
        if form == "literal":
            return ("literal", -text if negative else text)
        if form == "symbol" and text == "(":
            tree = self.expression()
            self.need(")")
            return tree
        if form == "symbol" and text == "[":
            return ("list", self.elements())
        if form == "symbol" and text == "{":
            return ("map", self.entries())
        if form == "symbol" and text == "." and self.here[0] == "name":
            form, text = self.here
            self.position += 1
        if form != "name":
            raise wrong(f"found '{text}', expected a value")
        if text in ("true", "false", "null"):
            return ("literal", {"true": True, "false": False, "null": None}[text])
        if text in RESERVED:
            raise wrong(f"'{text}' is a reserved word")
        return ("call", text, None, self.arguments(")")) if self.take("(") else ("name", text)

    @staticmethod
    def integer(text, negative):
        digits = text.rstrip("uU")
        number = int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
        if digits != text:
            if negative or number > UINT_MAX:
                raise Failure("S208", "a literal does not fit in a uint")
            return UInt(number)
        number = -number if negative else number
        if not -INT_MAX - 1 <= number <= INT_MAX:
            raise Failure("S208", "a literal does not fit in an int")
        return number

    def arguments(self, closing):
        result = []
        while not self.take(closing):
            if result:
                self.need(",")
            result.append(self.expression())
        return result

    def elements(self):
        result = []
        while not self.take("]"):
            result.append((bool(self.take("?")), self.expression()))
            if self.here != ("symbol", "]"):
                self.need(",")
        return result

    def entries(self):
        result = []
        while not self.take("}"):
            optional = bool(self.take("?"))
            key = self.expression()
            self.need(":")
            result.append((optional, key, self.expression()))
            if self.here != ("symbol", "}"):
                self.need(",")
        return result


def parse(text):
    return Parser(text).whole()
