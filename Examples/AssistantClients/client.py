"""The public Python client of the Model Context Protocol against `rules-check mcp`.

    python client.py PATH/TO/rules-check

Needs the package mcp. Calls every tool: allowed and refused, inside the folder and outside of it. Ends with an
AssertionError where an answer is another one than expected.
"""

import asyncio
import json
import pathlib
import shutil
import sys
import tempfile

from mcp import Client, MCPError, StdioServerParameters

HERE = pathlib.Path(__file__).parent
TOOLS = ["check", "test", "simulate", "prove", "audit", "diff", "explain"]
SUITE = {
    "rules": "owners.rules",
    "tests": [{"name": "alice reads her profile", "as": {"uid": "alice"}, "get": "/users/alice", "expect": "allow"}],
    "claims": [{"name": "only the owner writes", "path": "/users/{uid}", "methods": "write",
                "onlyIf": "request.auth.uid == uid"}],
}


def project():
    """A folder with rules and a suite, beside files that nobody may read."""
    outside = pathlib.Path(tempfile.mkdtemp())
    folder = outside / "project"
    folder.mkdir()
    for name in ["firestore.rules", "owners.rules"]:
        shutil.copy(HERE / name, folder)
        shutil.copy(HERE / name, outside)
    (folder / "users.suite.json").write_text(json.dumps(SUITE))
    (outside / "secret.json").write_text('{"secret": "hunter2"}')
    escape = folder / "escape"
    escape.mkdir()
    (escape / "away.suite.json").write_text(json.dumps(SUITE | {"rules": "../../owners.rules"}))
    (escape / "link.rules").symlink_to(outside / "owners.rules")
    (escape / "up").symlink_to(outside)
    return folder


def text(result):
    """The text of an answer, which has nothing else besides structured content."""
    assert len(result.content) == 1 and result.content[0].type == "text", result
    return result.content[0].text


async def every_tool(client):
    """What each tool says if the answer is yes, and if it is no."""

    async def call(tool, code, *wanted, **arguments):
        arguments = {key.replace("_", "-"): value for key, value in arguments.items()}
        result = await client.call_tool(tool, arguments)
        for words in (*wanted, f"exit code {code}: "):
            assert words in text(result), (tool, arguments, words, text(result))
        assert result.is_error is (code == 2), (tool, arguments, result)
        assert result.structured_content["exitCode"] == code, result
        schema = result.structured_content["report"]["schema"]
        assert schema == f"rules-check.{tool}/1", schema

    await call("check", 0, "0 errors", "no finding has the level", files=["owners.rules"])
    await call("check", 1, "warning[any-user-write]", files=["firestore.rules"], fail_on="warning")
    await call("check", 0, files=["owners.rules"], deep=True, timeout=30, level=["open-read=warning"])
    await call("simulate", 0, "ALLOW", "the rules allow the request",
               rules="firestore.rules", method="update", path="/users/alice", before={"name": "A"},
               data={"name": "M"}, **{"as": "mallory"})
    await call("simulate", 1, "DENY", "the rules deny the request",
               rules="owners.rules", method="update", path="/users/alice", before='{"name": "A"}',
               data='{"name": "M"}', **{"as": "mallory"})
    await call("test", 0, "1 test, 1 passed", files=["users.suite.json"])
    await call("test", 1, "VIOLATED", "does not hold", files=["users.suite.json"], rules="firestore.rules")
    await call("prove", 0, "PROVED", files=["users.suite.json"])
    claim = {"path": "/users/{uid}", "only_if": "request.auth.uid == uid"}
    await call("prove", 1, "VIOLATED", files=["firestore.rules"], **claim)
    await call("prove", 4, "UNDECIDED", "not a success", files=["owners.rules"], steps=1, **claim)
    await call("audit", 0, "never", "always", rules="owners.rules")
    await call("audit", 1, "alarm", rules="firestore.rules")
    await call("diff", 0, "TIGHTENED", old="firestore.rules", new="owners.rules")
    await call("diff", 1, "LOOSENED", old="owners.rules", new="firestore.rules")
    for topic in ["any-user-write", "claims", "exit-codes", "prove"]:
        result = await client.call_tool("explain", {"topic": topic})
        assert not result.is_error and len(text(result)) > 200, result
    result = await client.call_tool("explain", {"topic": "no-such-code"})
    assert result.is_error and "there is no command or topic `no-such-code`" in text(result), result


async def refusals(client):
    """Arguments that do not fit, and paths that lead out of the folder."""

    async def refused(tool, words, **arguments):
        arguments = {key.replace("_", "-"): value for key, value in arguments.items()}
        result = await client.call_tool(tool, arguments)
        assert result.is_error and words in text(result), (tool, arguments, text(result))
        assert "exit code 2: it could not run" in text(result), text(result)
        assert "hunter2" not in str(result), result

    await refused("check", '"deep" is true or false, this is a string', deep="yes")
    await refused("check", '"files" is a list, this is a string', files="owners.rules")
    await refused("check", 'did you mean "deep"?', deeep=True)
    await refused("simulate", 'needs the argument "path"', method="get")
    await refused("prove", '"steps" is an integer', steps="many")
    await refused("test", '`test` has no argument "watch"', watch=True)
    await refused("check", '`check` has no argument "output"', output="report.json")
    await refused("diff", '`diff` has no argument "base"', base="HEAD")
    out = "is outside the folder that may be read"
    for path in ["../owners.rules", str(HERE.resolve() / "owners.rules"), "escape/link.rules",
                 "escape/up/owners.rules", "/proc/self/cmdline", "/dev/stdin"]:
        await refused("check", out, files=[path])
        await refused("audit", out, rules=path)
        await refused("diff", out, old="owners.rules", new=path)
        await refused("simulate", out, rules=path, method="get", path="/users/alice")
        await refused("prove", out, files=[path], path="/users/{uid}", never=True)
        await refused("test", out, files=[path])
    await refused("test", out, files=["escape/away.suite.json"])
    await refused("simulate", out, rules="owners.rules", method="create", path="/users/alice",
                  data="@../secret.json")
    await refused("check", "standard input is not available", files=["-"])
    await refused("check", "leads out of the folder", files=["escape"])

    for name, arguments, words in [("no-such-tool", {}, "there is no tool"), ("mcp", {}, "there is no tool")]:
        try:
            await client.call_tool(name, arguments)
        except MCPError as error:
            assert error.code == -32602 and words in error.message, error
        else:
            raise AssertionError(f"{name} was called")


async def main(program):
    """One session that negotiates as clients do now, and one that begins as they always did."""
    folder = project()
    before = sorted((path, path.lstat().st_mtime_ns) for path in folder.parent.rglob("*"))
    server = StdioServerParameters(command=program, args=["mcp"], cwd=folder)
    async with Client(server, read_timeout_seconds=120) as client:
        assert client.server_info.name == "rules-check", client.server_info
        assert client.protocol_version == "2025-11-25", client.protocol_version
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS, tools
        assert all(tool.annotations.read_only_hint for tool in tools), tools
        await every_tool(client)
        await refusals(client)
        # Whatever was refused, the server goes on.
        assert not (await client.call_tool("check", {"files": ["owners.rules"]})).is_error
    async with Client(StdioServerParameters(command=program, args=["mcp", str(folder)]), mode="legacy") as client:
        await client.send_ping()
        assert "PROVED" in text(await client.call_tool("prove", {}))
        answers = await asyncio.gather(*[client.call_tool("test", {}) for _ in range(10)])
        assert all("1 test, 1 passed" in text(answer) for answer in answers), answers
    after = sorted((path, path.lstat().st_mtime_ns) for path in folder.parent.rglob("*"))
    assert before == after, "a file was written"
    shutil.rmtree(folder.parent)
    print("all tools answered")


asyncio.run(main(str(pathlib.Path(sys.argv[1]).resolve())))
