"""The language server beside a client that others have written: pygls' through pytest-lsp.

Needs: pip install pytest-lsp pygls, and a built program.

    RULES_CHECK=.build/debug/rules-check pytest Editors/Tests/test_lsp.py
"""

import asyncio
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

PROGRAM = os.environ.get("RULES_CHECK", "rules-check")

RULES = """\
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    // Who owns it.
    function owns(user) {
      return request.auth != null && request.auth.uid == user;
    }
    match /notes/{note} {
      allow get: if owns(note);
      allow get: if owns(note) && request.time != null;
      allow   write:if reqest.auth.uid == note;
    }
  }
}
"""

SUITE = """\
{
  "rules": "a.rules",
  "users": { "ann": "ann" },
  "tests": [
    { "name": "hers", "as": "ann", "get": "/notes/ann", "expect": "allow" },
    { "name": "not hers", "as": "ann", "get": "/notes/bob", "expect": "allow" }
  ],
  "claims": [{ "path": "/notes/{n}", "methods": "get", "onlyIf": "owns(n)" }]
}
"""


@pytest_lsp.fixture(
    params=["visual_studio_code", "neovim"],
    config=ClientServerConfig(server_command=[PROGRAM, "lsp"]),
)
async def client(request, lsp_client: LanguageClient, tmp_path_factory):
    # What the client says that it can do, and leaves to whoever tests.
    for method in (
        "client/registerCapability", "workspace/codeLens/refresh", "workspace/inlayHint/refresh",
    ):
        lsp_client.feature(method)(lambda *_: None)
    folder = tmp_path_factory.mktemp("project")
    (folder / "a.rules").write_text(RULES)
    (folder / "a.suite.json").write_text(SUITE)
    lsp_client.folder = folder
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="project")],
        )
    )
    yield
    await lsp_client.shutdown_session()


def open_text(client, name):
    path = client.folder / name
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(
                uri=path.as_uri(), language_id="firestore-rules", version=1, text=path.read_text()
            )
        )
    )
    return types.TextDocumentIdentifier(uri=path.as_uri())


async def diagnostics(client, document, wanted):
    for _ in range(600):
        for one in client.diagnostics.get(document.uri, []):
            if one.code == wanted or wanted in one.message:
                return client.diagnostics[document.uri]
        await asyncio.sleep(0.1)
    pytest.fail(f"no {wanted} in {client.diagnostics.get(document.uri)}")


def place(line, character):
    return types.Position(line=line, character=character)


ALL = types.Range(start=place(0, 0), end=place(99, 0))


@pytest.mark.asyncio(loop_scope="function")
async def test_everything(client: LanguageClient):
    rules = open_text(client, "a.rules")
    found = await diagnostics(client, rules, "unknown-variable")
    wrong = [one for one in found if one.code == "unknown-variable"][0]
    assert (wrong.range.start.line, wrong.range.start.character) == (10, 23)

    at = dict(text_document=rules)
    hover = await client.text_document_hover_async(
        types.HoverParams(position=place(8, 21), **at))
    assert "function owns(user): bool" in hover.contents.value
    assert "Who owns it." in hover.contents.value

    definition = await client.text_document_definition_async(
        types.DefinitionParams(position=place(8, 21), **at))
    assert definition.range.start.line == 4

    references = await client.text_document_references_async(
        types.ReferenceParams(
            position=place(8, 21), context=types.ReferenceContext(include_declaration=True), **at))
    assert [one.range.start.line for one in references] == [4, 8, 9]

    highlights = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(position=place(8, 21), **at))
    assert len(highlights) == 3

    prepared = await client.text_document_prepare_rename_async(
        types.PrepareRenameParams(position=place(8, 21), **at))
    assert prepared.placeholder == "owns"
    renamed = await client.text_document_rename_async(
        types.RenameParams(position=place(8, 21), new_name="isOwner", **at))
    name = lambda uri: pathlib.PurePosixPath(uri).name
    if renamed.document_changes is None:
        assert {name(uri): len(edits) for uri, edits in renamed.changes.items()} == {
            "a.rules": 3, "a.suite.json": 1}
    else:
        # The version of the text; the suite is not open.
        assert [
            (name(change.text_document.uri), change.text_document.version, len(change.edits))
            for change in renamed.document_changes
        ] == [("a.rules", 1, 3), ("a.suite.json", None, 1)]
    with pytest.raises(JsonRpcException) as refused:
        await client.text_document_rename_async(
            types.RenameParams(position=place(8, 21), new_name="no name", **at))
    assert refused.value.code == -32803

    completion = await client.text_document_completion_async(
        types.CompletionParams(position=place(5, 45), **at))
    assert "auth" in [item.label for item in completion.items]

    signature = await client.text_document_signature_help_async(
        types.SignatureHelpParams(position=place(8, 25), **at))
    assert signature.signatures[0].label == "owns(user)"

    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(**at))
    assert symbols[0].name == "cloud.firestore"
    everywhere = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="owns"))
    assert [one.name for one in everywhere] == ["owns"]

    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(**at))
    assert (1, 12) in [(one.start_line, one.end_line) for one in folds]
    selections = await client.text_document_selection_range_async(
        types.SelectionRangeParams(positions=[place(5, 40)], **at))
    assert selections[0].parent is not None

    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(**at))
    assert len(tokens.data) > 100 and len(tokens.data) % 5 == 0
    part = await client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(range=ALL, **at))
    assert part.data == tokens.data

    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(options=options, **at))
    assert {edit.range.start.line for edit in edits} == {10}
    ranged = await client.text_document_range_formatting_async(
        types.DocumentRangeFormattingParams(
            range=types.Range(start=place(10, 0), end=place(11, 0)), options=options, **at))
    assert ranged == edits
    typed = await client.text_document_on_type_formatting_async(
        types.DocumentOnTypeFormattingParams(position=place(10, 47), ch=";", options=options, **at))
    assert typed == edits

    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            range=wrong.range, context=types.CodeActionContext(diagnostics=[wrong]), **at))
    assert "Write `request`" in [action.title for action in actions]

    # An edit in the middle, and what comes of it.
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=rules.uri, version=2),
            content_changes=[
                types.TextDocumentContentChangePartial(
                    range=types.Range(start=place(10, 23), end=place(10, 29)), text="request")
            ]))
    await diagnostics(client, rules, "covered-allow")
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(range=ALL, **at))
    assert [hint.label for hint in hints][0] == "owner {note}: always"

    suite = open_text(client, "a.suite.json")
    failed = await diagnostics(client, suite, "not hers")
    assert failed[0].range.start.line == 5
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=suite))
    assert [lens.command.title for lens in lenses] == ["passed, run", "failed, run", "prove"]
    ran = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(
            command=lenses[0].command.command, arguments=lenses[0].command.arguments))
    assert ran["passed"]
    above = await client.text_document_code_lens_async(types.CodeLensParams(**at))
    prove = [lens for lens in above if lens.command.title == "prove …"][0]
    proved = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(
            command=prove.command.command, arguments=prove.command.arguments))
    assert proved["verdict"] == "proved"
    keys = await client.text_document_completion_async(
        types.CompletionParams(position=place(4, 70), text_document=suite))
    assert "allow" in [item.label for item in keys.items]

    # What is taken back is answered as such.
    slow = client.protocol.send_request_async(
        "workspace/executeCommand",
        types.ExecuteCommandParams(command="rules-check.runTests", arguments=[suite.uri]),
        msg_id="slow",
    )
    task = asyncio.ensure_future(slow)
    await asyncio.sleep(0)
    client.protocol.notify("$/cancelRequest", types.CancelParams(id="slow"))
    try:
        # It may have been done before it was taken back.
        assert "passed" in await asyncio.wait_for(task, 30)
    except JsonRpcException as cancelled:
        assert cancelled.code == -32800

    with pytest.raises(JsonRpcException) as unknown:
        await client.protocol.send_request_async("textDocument/unheardOf", {})
    assert unknown.value.code == -32601
    with pytest.raises(JsonRpcException) as closed:
        await client.text_document_hover_async(
            types.HoverParams(
                text_document=types.TextDocumentIdentifier(uri="file:///nowhere"), position=place(0, 0)))
    assert closed.value.code == -32602

    client.text_document_did_close(types.DidCloseTextDocumentParams(**at))
    for _ in range(100):
        if not client.diagnostics.get(rules.uri):
            return
        await asyncio.sleep(0.1)
    pytest.fail(f"the diagnostics of a closed text stay: {client.diagnostics[rules.uri]}")
