"""Puts the playground together: the packed engine, styles, scripts and examples in one HTML file.

Usage: assemble.py BUILD_FOLDER OUTPUT
"""

import base64
import collections
import hashlib
import json
import lzma
import pathlib
import re
import sys
import zlib

here = pathlib.Path(__file__).resolve().parent

# In the order in which they use one another.
SCRIPTS = [
    "dom", "json", "view", "claims", "state", "highlight", "editor", "engine", "requests", "form", "verdict",
    "verdicts", "reports", "problems", "main",
]

# Names in the menu of the rules of `rules/` and of `Playground/Examples`; the page begins with the first. Where there is
# `NAME-before.rules`, it is what the rules were before.
EXAMPLES = [
    ("Story: a push token", here / "Examples" / "push"),
    ("Example: chat with rooms", here / "Examples" / "chat"),
    ("Example: teams and roles", here / "Examples" / "teams"),
    ("Example: a blog", here / "Examples" / "blog"),
    ("Example: counters and votes", here / "Examples" / "counters"),
    ("App: Sorted, before the story", here.parent / "rules" / "sorted-before"),
    ("App: Sorted", here.parent / "rules" / "sorted"),
    ("App: Psst, to do", here.parent / "rules" / "psst-todo"),
    ("App: Psst, production", here.parent / "rules" / "psst-prd"),
    ("App: MessageAI", here.parent / "rules" / "messageai"),
]


def packed(data: bytes) -> bytes:
    """LZMA in its oldest form, with the size in the header."""
    coder = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0,
              "dict_size": 1 << 23}]
    result = bytearray(lzma.compress(data, format=lzma.FORMAT_ALONE, filters=coder))
    result[5:13] = len(data).to_bytes(8, "little")
    return bytes(result)


# So many characters are turned by one key (`groups` of eight in unpack.c).
BLOCK = 256


def characters(data: bytes) -> str:
    """Seven bits a character, the lowest first: eight characters for seven bytes. What HTML changes (NUL, the
    carriage return) or could take for markup (`<` before what begins a tag or a comment) stands 256 higher: in
    UTF-8 that is a byte 0xC4, which the unpacker leaves out, and one whose lowest seven bits are the same. So that
    this is seldom needed, a block begins with a character of its own, the key, that all of it are turned by
    (exclusive or): of 125 keys there is mostly one with which next to none becomes one of these."""
    data += bytes(-len(data) % 7)
    values = [int.from_bytes(data[at:at + 7], "little") >> shift & 127
              for at in range(0, len(data), 7) for shift in range(0, 56, 7)]
    turned = []
    for start in range(0, len(values), BLOCK):
        block = values[start:start + BLOCK]
        counts = collections.Counter(block)
        key = min((key for key in range(1, 128) if key not in (13, ord("<"))),
                  key=lambda key: counts[key] + counts[key ^ 13])
        turned += [key] + [value ^ key for value in block]
    text = []
    for value, after in zip(turned, turned[1:] + [ord("/")]):
        is_markup = value == ord("<") and chr(after) in "/!sS"
        text.append(chr(value + 256 if value in (0, 13) or is_markup else value))
    return "".join(text)


def script_data(value) -> str:
    """JSON that cannot end the element it stands in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def deflated(text: str) -> str:
    """A text as what every browser unpacks itself, in the characters of base 64."""
    coder = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(coder.compress(text.encode()) + coder.flush()).decode()


def examples() -> dict:
    """What the menu says, and the texts behind it, packed so that the browser unpacks them itself."""
    found = []
    for name, path in EXAMPLES:
        suite = path.with_suffix(".suite.json")
        before = path.with_name(f"{path.name}-before.rules")
        found.append({
            "name": name,
            "old": before.read_text() if before.exists() else "",
            "rules": path.with_suffix(".rules").read_text(),
            "suite": suite.read_text() if suite.exists() else "",
        })
    return {"names": [one["name"] for one in found], "packed": deflated(json.dumps(found))}


def script(name: str) -> str:
    """A script without comments in lines of their own and without indentation; its lines are those of the file."""
    lines = []
    for number, line in enumerate((here / "Page" / f"{name}.js").read_text().splitlines(), 1):
        # In a regular expression, the back-tick after `[^` ends no text.
        if line.replace("[^`", "").count("`") % 2:
            sys.exit(f"assemble.py: {name}.js:{number}: a text of several lines would lose its indentation")
        if line.strip() and not line.lstrip().startswith("//"):
            lines.append(line.strip())
    return "\n".join(lines) + "\n"


def style() -> str:
    """The style sheet without the space that only its readers need."""
    text = re.sub(r"\s*([{};,])\s*|(?<=:)\s+", lambda match: match[1] or "", (here / "Page/page.css").read_text())
    return text.replace(";}", "}").strip()


def version() -> str:
    text = (here.parent / "Sources/RulesReport/Text/Product.swift").read_text()
    return re.search(r'version = "([^"]+)"', text).group(1)


def digest(text: str) -> str:
    """The one text that a policy lets through."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def page(build: pathlib.Path) -> str:
    main = '"use strict";\n' + "".join(map(script, SCRIPTS))
    # What stands in the page as it is, and what is unpacked there.
    run = [script("early"), script("send"), script("start"), main]
    parts = {
        # No network: nothing may be fetched, framed, or sent by a form.
        "policy": "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
                  f"style-src {digest(style())}; "
                  f"script-src {' '.join(map(digest, run))} 'wasm-unsafe-eval'; worker-src blob:",
        "style": style(),
        "early": script("early"),
        "send": script("send"),
        "scripts": deflated(main),
        "start": script("start"),
        "worker": script("worker"),
        "version": version(),
        "unpacker": base64.b64encode((build / "unpack.wasm").read_bytes()).decode(),
        "examples": script_data(examples()),
        "engine": characters(packed((build / "engine.wasm").read_bytes())),
    }
    for name in ("early", "send", "start", "worker"):
        if "</script" in parts[name] or "<!--" in parts[name]:
            sys.exit(f"assemble.py: {name} would end its element")
    template = re.sub(r"\n\s+", "\n", (here / "Page/page.html").read_text())
    return re.sub(r"@(\w+)@", lambda match: parts[match.group(1)], template)


def main() -> None:
    build, output = map(pathlib.Path, sys.argv[1:])
    text = page(build).encode()
    output.write_bytes(text)
    print(f"{output}: {len(text):,} bytes")


main()
