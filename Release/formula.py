"""Writes the Homebrew formula of a release, of whose archives it takes the checksums.

    python3 Release/formula.py OWNER/REPOSITORY FOLDER > rules-check.rb

FOLDER has the archives: rules-check-VERSION-PLATFORM.tar.gz.
"""

import hashlib
import pathlib
import sys

import release


def formula(repository, folder):
    """The text of the formula."""
    version = release.version()

    def archive(platform, indent):
        name = f"{release.NAME}-{version}-{platform}.tar.gz"
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        address = f"https://github.com/{repository}/releases/download/v{version}/{name}"
        return f'{indent}url "{address}"\n{indent}sha256 "{digest}"\n'

    return (
        "class RulesCheck < Formula\n"
        f'  desc "{release.SUMMARY}"\n'
        f'  homepage "https://github.com/{repository}"\n'
        '  license "Apache-2.0"\n'
        "\n"
        "  on_macos do\n    depends_on macos: :sequoia\n" + archive("macos-universal", "    ") + "  end\n"
        "\n"
        "  on_linux do\n"
        "    on_intel do\n" + archive("linux-x86_64", "      ") + "    end\n"
        "    on_arm do\n" + archive("linux-aarch64", "      ") + "    end\n"
        "  end\n"
        "\n"
        "  def install\n"
        '    bin.install "rules-check"\n'
        '    generate_completions_from_executable(bin/"rules-check", "completions")\n'
        "  end\n"
        "\n"
        "  test do\n"
        '    assert_equal "{\\"type\\":\\"int\\",\\"value\\":\\"2\\"}\\n", '
        'shell_output("#{bin}/rules-check eval \'1 + 1\'")\n'
        "  end\n"
        "end\n"
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    print(formula(sys.argv[1], pathlib.Path(sys.argv[2])), end="")
