"""Says why pip cannot install rules-check here: no wheel of the release fits this machine."""

import platform


def stop(*_, **__):
    windows = " On Windows it runs inside WSL: wsl pip install rules-check." if platform.system() == "Windows" else ""
    raise SystemExit(
        f"rules-check VERSION has no build for {platform.system()} on {platform.machine()}. SUPPORTED{windows}"
    )


prepare_metadata_for_build_wheel = build_wheel = build_sdist = stop
