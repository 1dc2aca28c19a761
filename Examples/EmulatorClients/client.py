"""Google's Python client, and raw gRPC streams as the JavaScript SDK sends them, against the emulator.

    rules-check exec --rules firestore.rules -- python client.py

Needs google-cloud-firestore. Ends with an AssertionError where an answer is another one than expected.
"""

import base64
import json
import os
import queue
import time

import grpc
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.types import firestore as messages
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import query as queries
from google.cloud.firestore_v1.types import write as writes

PROJECT = "demo-client"
DATABASE = f"projects/{PROJECT}/databases/(default)"
ROOT = f"{DATABASE}/documents"


def server_client():
    """What a server does: everything as owner."""
    db = firestore.Client(project=PROJECT, credentials=AnonymousCredentials())
    alice = db.document("users/alice")
    alice.set({"public": True, "count": 1, "at": firestore.SERVER_TIMESTAMP, "list": [1, 2]})
    stored = alice.get().to_dict()
    assert stored["count"] == 1 and stored["list"] == [1, 2] and stored["at"].year >= 2024, stored

    batch = db.batch()
    for number in range(20):
        batch.set(db.document(f"users/u{number:02d}"), {"public": False, "number": number, "group": number % 3})
    assert len(batch.commit()) == 20

    found = (
        db.collection("users").where(filter=firestore.FieldFilter("group", "==", 1))
        .order_by("number", direction="DESCENDING").limit(3).stream()
    )
    assert [one.id for one in found] == ["u19", "u16", "u13"]
    after = db.collection("users").order_by("number").start_after({"number": 17}).stream()
    assert [one.id for one in after] == ["u18", "u19"]
    assert db.collection("users").count().get()[0][0].value == 21
    assert db.collection("users").sum("number").get()[0][0].value == 190
    names = [one.id for one in db.get_all([alice, db.document("users/none")]) if one.exists]
    assert names == ["alice"], names

    @firestore.transactional
    def increment(transaction):
        count = alice.get(transaction=transaction).get("count")
        transaction.update(alice, {"count": count + 1})
        return count

    assert increment(db.transaction()) == 1 and alice.get().get("count") == 2
    try:
        db.document("users/none").update({"a": 1})
        raise AssertionError("an update of nothing succeeds")
    except exceptions.NotFound as problem:
        assert "no entity to update" in str(problem)

    seen = queue.Queue()
    watch = db.collection("users").where(filter=firestore.FieldFilter("group", "==", 2)).on_snapshot(
        lambda snapshot, changes, read_time: seen.put(len(snapshot))
    )
    assert seen.get(timeout=20) == 6
    db.document("users/new").set({"group": 2})
    assert seen.get(timeout=20) == 7
    watch.unsubscribe()


def token(uid):
    """An unsigned token, as test libraries make it."""

    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    claims = {"sub": uid, "user_id": uid, "iat": 0, "exp": 3600, "firebase": {"sign_in_provider": "custom"}}
    return part({"alg": "none", "type": "JWT"}) + "." + part(claims) + "."


class Stream:
    """A call with messages both ways, of a user or of nobody, on a connection that others use, too."""

    def __init__(self, channel, method, request, response, uid=None):
        self.requests = queue.Queue()
        call = channel.stream_stream(
            f"/google.firestore.v1.Firestore/{method}",
            request_serializer=request.serialize,
            response_deserializer=response.deserialize,
        )
        metadata = [("authorization", f"Bearer {token(uid)}")] if uid else []
        self.answers = call(iter(self.requests.get, None), metadata=metadata, timeout=20)

    def send(self, message):
        self.requests.put(message)

    def next(self):
        return next(self.answers)

    def end(self):
        self.requests.put(None)
        return list(self.answers)


def status(call):
    """The code of a call that fails."""
    try:
        call()
    except grpc.RpcError as problem:
        return problem.code(), problem.details()
    raise AssertionError("a call succeeds that must not")


def raw_streams():
    """What a browser or a phone does: Write and Listen, three users on one connection."""
    channel = grpc.insecure_channel(os.environ["FIRESTORE_EMULATOR_HOST"])

    def writer(uid):
        stream = Stream(channel, "Write", messages.WriteRequest, messages.WriteResponse, uid)
        stream.send(messages.WriteRequest(database=DATABASE))
        assert stream.next().stream_token
        return stream

    def set_name(uid, name):
        fields = {"name": documents.Value(string_value=name), "public": documents.Value(boolean_value=True)}
        update = documents.Document(name=f"{ROOT}/users/{uid}", fields=fields)
        return messages.WriteRequest(writes=[writes.Write(update=update)])

    alice, mallory = writer("alice"), writer("mallory")
    alice.send(set_name("alice", "Alice"))
    answer = alice.next()
    assert len(answer.write_results) == 1 and answer.commit_time.year >= 2024
    mallory.send(set_name("alice", "stolen"))
    code, text = status(mallory.next)
    assert code == grpc.StatusCode.PERMISSION_DENIED, code
    assert "false for 'create' @ L8, false for 'update' @ L8" in text, text

    bob = Stream(channel, "Listen", messages.ListenRequest, messages.ListenResponse, "bob")
    target = queries.StructuredQuery(
        from_=[queries.StructuredQuery.CollectionSelector(collection_id="users")],
        where=queries.StructuredQuery.Filter(
            field_filter=queries.StructuredQuery.FieldFilter(
                field=queries.StructuredQuery.FieldReference(field_path="public"),
                op=queries.StructuredQuery.FieldFilter.Operator.EQUAL,
                value=documents.Value(boolean_value=True),
            )
        ),
    )
    asked = messages.Target.QueryTarget(parent=ROOT, structured_query=target)
    bob.send(messages.ListenRequest(database=DATABASE, add_target=messages.Target(query=asked, target_id=2)))
    Kind = messages.TargetChange.TargetChangeType
    assert bob.next().target_change.target_change_type == Kind.ADD
    assert bob.next().document_change.document.fields["name"].string_value == "Alice"
    assert bob.next().target_change.target_change_type == Kind.CURRENT
    assert bob.next().target_change.target_change_type == Kind.NO_CHANGE

    # Without the filter the rules do not allow it: the target is removed, and the stream goes on.
    everything = messages.Target.QueryTarget(
        parent=ROOT, structured_query=queries.StructuredQuery(from_=target.from_)
    )
    bob.send(messages.ListenRequest(database=DATABASE, add_target=messages.Target(query=everything, target_id=4)))
    assert bob.next().target_change.target_change_type == Kind.ADD
    removed = bob.next().target_change
    assert removed.target_change_type == Kind.REMOVE and removed.cause.code == 7, removed

    alice.send(set_name("alice", "Alicia"))
    assert alice.next().commit_time
    kinds = []
    while True:
        answer = bob.next()
        if answer.document_change.document.name:
            kinds.append(answer.document_change.document.fields["name"].string_value)
        else:
            kinds.append(answer.target_change.target_change_type.name)
        if kinds[-1] == "NO_CHANGE":
            break
    assert kinds == ["RESET", "Alicia", "CURRENT", "NO_CHANGE"], kinds
    bob.end()
    alice.send(messages.WriteRequest(stream_token=b"0"))
    alice.end()

    nobody = Stream(channel, "Listen", messages.ListenRequest, messages.ListenResponse)
    one = messages.Target.DocumentsTarget(documents=[f"{ROOT}/users/alice"])
    nobody.send(messages.ListenRequest(database=DATABASE, add_target=messages.Target(documents=one, target_id=2)))
    assert nobody.next().target_change.target_change_type == Kind.ADD
    assert nobody.next().target_change.cause.code == 7
    nobody.end()
    channel.close()


if __name__ == "__main__":
    started = time.time()
    server_client()
    raw_streams()
    print(f"every answer is as expected ({time.time() - started:.1f} s)")
