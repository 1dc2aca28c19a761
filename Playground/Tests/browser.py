"""A Chromium without a window, driven over its DevTools protocol by a pair of pipes: no packages needed."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


class BrowserError(Exception):
    """What the browser refused, or did not do in time."""


class Browser:
    """One browser with a profile of its own, which ends with it."""

    def __init__(self):
        program = next((found for name in NAMES if (found := shutil.which(name))), None)
        if program is None:
            raise BrowserError("no Chromium is installed (Debian: apt-get install chromium)")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs, ours = os.pipe(), os.pipe()
        arguments = [
            program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            f"--user-data-dir={self.profile.name}", "about:blank",
        ]

        def connect():
            # The pipe's ends have to be 3 and 4 in the browser.
            read, write = os.dup(theirs[0]), os.dup(ours[1])
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            arguments, preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(theirs[0])
        os.close(ours[1])
        self.write, self.read = theirs[1], ours[0]
        self.held, self.number, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write)
        os.close(self.read)
        self.profile.cleanup()

    def _message(self, deadline):
        while b"\0" not in self.held:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.read], [], [], left)[0]:
                raise BrowserError("the browser does not answer")
            data = os.read(self.read, 1 << 20)
            if not data:
                raise BrowserError("the browser ended")
            self.held += data
        text, self.held = self.held.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, timeout=60, **parameters):
        """What a method of the protocol returns."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        deadline = time.monotonic() + timeout
        while True:
            message = self._message(deadline)
            if message.get("id") == self.number:
                if "error" in message:
                    raise BrowserError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def page(self, url, **size):
        """A new page that has loaded."""
        return Page(self, url, **size)


class Page:
    """One page."""

    def __init__(self, browser, url, width=1440, height=900, dark=False, offline=True):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.call(f"{domain}.enable")
        if offline:
            self.call("Network.emulateNetworkConditions", offline=True, latency=0,
                      downloadThroughput=-1, uploadThroughput=-1)
        self.resize(width, height)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if url:
            self.open(url)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def resize(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def run(self, script, timeout=60):
        """The value of an expression in the page; waits for promises."""
        result = self.browser.call(
            "Runtime.evaluate", self.session, timeout, expression=script, awaitPromise=True,
            returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, condition, seconds=30):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self.run(f"!!({condition})"):
                    return
            except BrowserError:
                if time.monotonic() > end:
                    raise
            if time.monotonic() > end:
                raise BrowserError(f"never came true: {condition}")
            time.sleep(0.02)

    KEYS = {"Enter": 13, "Tab": 9, "Escape": 27, "F8": 119, "F12": 123, "ArrowRight": 39, "ArrowLeft": 37,
            "ArrowDown": 40, "ArrowUp": 38, " ": 32}

    def key(self, name, alt=False, ctrl=False, shift=False):
        """Presses a key."""
        code = f"Digit{name}" if name.isdigit() else f"Key{name.upper()}" if len(name) == 1 and name.isalpha() else name
        number = self.KEYS.get(name, ord(name.upper()) if len(name) == 1 else 0)
        modifiers = alt * 1 + ctrl * 2 + shift * 8
        event = dict(key=name, code=code, windowsVirtualKeyCode=number, modifiers=modifiers)
        plain = not (alt or ctrl)
        text = "\r" if name == "Enter" else name if len(name) == 1 else None
        self.call("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if plain and text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text):
        """Types into what has the focus."""
        self.call("Input.insertText", text=text)

    def click(self, selector):
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def complaints(self):
        """What the page logged as errors, and exceptions nobody caught."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
        return found

    def requests(self):
        """The addresses that the page asked the network for."""
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"
                and not event["params"]["request"]["url"].startswith(("file:", "data:", "blob:"))]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
