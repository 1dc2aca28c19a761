"""What pre-commit installs of this repository: a wheel without files that asks for the released program.

pre-commit clones a tag and runs `pip install .` there. Building the program then would take minutes and a Swift
toolchain; the wheel of that version takes seconds.
"""

import pathlib

import release
import wheel

INFO = f"rules_check_hooks-{release.version()}.dist-info"


def metadata():
    """What pip reads of the wheel."""
    return (
        "Metadata-Version: 2.4\n"
        "Name: rules-check-hooks\n"
        f"Version: {release.version()}\n"
        "Summary: The hooks of rules-check for pre-commit\n"
        f"Requires-Dist: {release.NAME}=={release.version()}\n"
    )


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel, as build frontends ask for it."""
    head = f"Wheel-Version: 1.0\nGenerator: {release.NAME}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    members = [
        (f"{INFO}/METADATA", metadata().encode(), 0o644),
        (f"{INFO}/WHEEL", head.encode(), 0o644),
    ]
    members.append((f"{INFO}/RECORD", wheel.record(members, INFO), 0o644))
    path = pathlib.Path(wheel_directory) / f"rules_check_hooks-{release.version()}-py3-none-any.whl"
    release.write_zip(path, members)
    return path.name


def build_editable(*arguments):
    """The same wheel: there is nothing to edit."""
    return build_wheel(*arguments)
