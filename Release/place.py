"""Where the project lives: OWNER/REPOSITORY at GitHub. The file `place` beside this script says it once.

    python3 Release/place.py                     prints it; exit code 1 while it is not set
    python3 Release/place.py OWNER/REPOSITORY    sets it, and fills it into the pages that name it
    python3 Release/place.py --check             fails unless it is set, all pages name it and speak of releases
                                                 that are there, and a workflow runs in that repository
"""

import os
import re
import sys

import release

# The words on pages while the place is not set.
UNSET = "THIS/REPOSITORY"

# The pages that name the place. Packages, the extension and the formula take it from release.py.
PAGES = ["README.md", "SECURITY.md", "Docs/CI.md", "Docs/Editors.md", "Docs/Library.md"]

# What pages say only until there is a release.
BEFORE = ["until the first release", "There is no release yet", "after the first release"]


def fill(place):
    """Sets the place, and writes it into the pages instead of the one before."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+", place):
        raise SystemExit(f"{place} is no OWNER/REPOSITORY")
    before = release.place() or UNSET
    for name in PAGES:
        page = release.ROOT / name
        page.write_text(page.read_text(encoding="utf-8").replace(before, place), encoding="utf-8")
    release.PLACE.write_text(place + "\n", encoding="utf-8")


def mistakes():
    """What keeps a release from being made."""
    place = release.place()
    if not place:
        return ["Release/place is empty: run python3 Release/place.py OWNER/REPOSITORY and commit the result"]
    found = []
    running = os.environ.get("GITHUB_REPOSITORY", place)
    if running.lower() != place.lower():
        found.append(f"Release/place says {place}, the workflow runs in {running}")
    for name in PAGES:
        text = (release.ROOT / name).read_text(encoding="utf-8")
        if UNSET in text or place not in text:
            found.append(f"{name} does not name {place}: run python3 Release/place.py {place}")
        found += [f"{name} still says '{words}': a release makes that false" for words in BEFORE if words in text]
    return found


if __name__ == "__main__":
    if len(sys.argv) == 1:
        if not release.place():
            raise SystemExit("Release/place is empty")
        print(release.place())
    elif sys.argv[1:] == ["--check"]:
        found = mistakes()
        for each in found:
            print(f"error: {each}", file=sys.stderr)
        sys.exit(1 if found else 0)
    elif len(sys.argv) == 2:
        fill(sys.argv[1])
    else:
        raise SystemExit(__doc__)
