"""Draws what a command prints, with its colours, as an SVG: the picture of the README.

    rules-check simulate … --color always | python3 Release/picture.py 'rules-check simulate …' > Docs/denial.svg
"""

import html
import re
import sys

WIDTH, HEIGHT, SIZE, EDGE = 8.4, 19, 14, 20
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "36": "#79c0ff", "2": "#8b949e"}
PLAIN = "#e6edf3"


def pieces(line):
    """The parts of a line between its escape sequences, with their styles."""
    codes = []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            words = part[2:-1].split(";")
            codes = [] if words in ([""], ["0"]) else words
        elif part:
            colour = next((COLOURS[code] for code in codes if code in COLOURS), PLAIN)
            yield part, colour, "1" in codes


def picture(command, lines):
    """The drawing."""
    shown = [f"\x1b[2m$\x1b[0m {line}" if place == 0 else f"  {line}"
             for place, line in enumerate(command.split("\n"))] + lines
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in shown]
    width = int(max(len(line) for line in plain) * WIDTH + 2 * EDGE)
    height = len(shown) * HEIGHT + 2 * EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{html.escape(command)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" '
        f'font-size="{SIZE}" xml:space="preserve">',
    ]
    for place, line in enumerate(shown):
        spans = ""
        column = 0
        for text, colour, bold in pieces(line):
            weight = ' font-weight="bold"' if bold else ""
            # Each word has its place, so that columns stay columns in any font.
            for word in re.finditer(r"\S+", text):
                x = EDGE + (column + word.start()) * WIDTH
                spans += (
                    f'<tspan x="{x:.1f}" textLength="{len(word.group()) * WIDTH:.1f}" '
                    f'fill="{colour}"{weight}>{html.escape(word.group(), quote=False)}</tspan>'
                )
            column += len(text)
        if spans:
            parts.append(f'<text y="{EDGE + (place + 0.75) * HEIGHT:.1f}">{spans}</text>')
    return "\n".join(parts + ["</g>", "</svg>", ""])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print(picture(sys.argv[1], sys.stdin.read().rstrip("\n").split("\n")), end="")
