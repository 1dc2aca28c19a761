"""How the emulator grows with its documents, its connections and its streams, beside the official one.

    python3 Benchmarks/documents.py .build/release/rules-check [SIZE…]

Writes SIZE documents (1,000, 10,000 and 100,000) over gRPC and asks the same of each size; prints milliseconds by the
clock, the server's processor milliseconds behind the bar, both for one call, and memory. Then 200 streams on one
connection, and connections that do nothing. Needs what `emulator.py` needs.
"""

import os
import queue
import resource
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import grpc
from google.cloud.firestore_v1.types import document, firestore, query, write

from emulator import DATABASE, JAR, ROOT, Caller, free_port, processor, resident

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents { match /{path=**} { allow read, write: if true; } }
}
"""
OWNER = Caller.who(None)
# Documents of one commit, as many as Firestore's SDKs put into one.
BATCH = 500
# Every thousandth document has the field that is asked for.
FEW = 1_000
STREAMS = 200
IDLE = [100, 1_000, 5_000]
# Seconds after which an emulator is given up.
PATIENCE = 300


class Asker:
    """Calls of one server."""

    def __init__(self, port):
        self.channel = grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.max_receive_message_length", -1)])
        self.caller = Caller(port)
        service = "/google.firestore.v1.Firestore/"
        self.aggregate = self.channel.unary_stream(
            service + "RunAggregationQuery",
            firestore.RunAggregationQueryRequest.serialize,
            firestore.RunAggregationQueryResponse.deserialize,
        )
        self.listen = self.channel.stream_stream(
            service + "Listen", firestore.ListenRequest.serialize, firestore.ListenResponse.deserialize
        )

    def fill(self, start, end):
        for begin in range(start, end, BATCH):
            writes = []
            for number in range(begin, min(begin + BATCH, end)):
                fields = {
                    "n": document.Value(integer_value=number),
                    "name": document.Value(string_value=f"name {number}"),
                    "group": document.Value(integer_value=number % 10),
                }
                if number % FEW == 0:
                    fields["rare"] = document.Value(boolean_value=True)
                writes.append(write.Write(update=document.Document(name=f"{ROOT}/d/{number:07d}", fields=fields)))
            request = firestore.CommitRequest(database=DATABASE, writes=writes)
            self.caller.commit(request, metadata=OWNER, timeout=PATIENCE)

    @staticmethod
    def selected(field=None, value=None, limit=None):
        asked = query.StructuredQuery(
            from_=[query.StructuredQuery.CollectionSelector(collection_id="d")], limit=limit
        )
        if field:
            asked.where = query.StructuredQuery.Filter(
                field_filter=query.StructuredQuery.FieldFilter(
                    field=query.StructuredQuery.FieldReference(field_path=field), op="EQUAL", value=value
                )
            )
        return asked

    def run(self, asked):
        request = firestore.RunQueryRequest(parent=ROOT, structured_query=asked)
        return list(self.caller.query(request, metadata=OWNER, timeout=PATIENCE))

    def rare(self):
        self.run(self.selected("rare", document.Value(boolean_value=True)))

    def hundred(self):
        assert len([one for one in self.run(self.selected(limit=100)) if one.document.name]) == 100

    def get(self):
        self.caller.get(firestore.GetDocumentRequest(name=f"{ROOT}/d/0000500"), metadata=OWNER, timeout=PATIENCE)

    def set(self):
        self.caller.set(None, "e/one")

    def total(self):
        aggregation = query.StructuredAggregationQuery.Aggregation
        summed = aggregation(alias="s", sum=aggregation.Sum(field=query.StructuredQuery.FieldReference(field_path="n")))
        asked = query.StructuredAggregationQuery(
            structured_query=self.selected(), aggregations=[aggregation(alias="c", count=aggregation.Count()), summed]
        )
        request = firestore.RunAggregationQueryRequest(parent=ROOT, structured_aggregation_query=asked)
        list(self.aggregate(request, metadata=OWNER, timeout=PATIENCE))

    def listener(self, target):
        """A function that returns at the next snapshot of a new target, and the call."""
        requests = queue.Queue()
        requests.put(firestore.ListenRequest(database=DATABASE, add_target=target))
        # The official emulator answers only those who name the database here, as SDKs do.
        head = [*OWNER, ("google-cloud-resource-prefix", DATABASE)]
        call = self.listen(iter(requests.get, None), metadata=head, timeout=PATIENCE)

        def snapshot():
            for answer in call:
                change = answer.target_change
                if "target_change" in answer and not change.target_ids and change.read_time:
                    return

        return snapshot, lambda: (requests.put(None), call.cancel())

    def hear_rare(self):
        asked = self.selected("rare", document.Value(boolean_value=True))
        target = firestore.Target(
            target_id=2, query=firestore.Target.QueryTarget(parent=ROOT, structured_query=asked)
        )
        snapshot, end = self.listener(target)
        snapshot()
        end()

    def streams(self):
        """Opens listeners on one connection and writes what each of them listens to."""
        names = [f"{ROOT}/s/{number}" for number in range(STREAMS)]
        opened = []
        for name in names:
            documents = firestore.Target.DocumentsTarget(documents=[name])
            opened.append(self.listener(firestore.Target(target_id=2, documents=documents)))
        for snapshot, _ in opened:
            snapshot()
        threads = [threading.Thread(target=snapshot) for snapshot, _ in opened]
        for thread in threads:
            thread.start()
        for number in range(STREAMS):
            self.caller.set(None, f"s/{number}", number)
        for thread in threads:
            thread.join(PATIENCE)
        for _, end in opened:
            end()


def timed(pid, call, count):
    """The median by the clock and the mean of the processor, in milliseconds."""
    times, before = [], processor(pid)
    for _ in range(count):
        begun = time.perf_counter()
        call()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times), (processor(pid) - before) / count * 1000


def start(command):
    port = free_port()
    server = subprocess.Popen(command(port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).read()
            return server, port
        except OSError:
            time.sleep(0.01)


def grow(command, sizes):
    """Rows of each size; None where the server did not come through."""
    server, port = start(command)
    found = {}
    try:
        asker, filled = Asker(port), 0
        asker.set()
        empty = resident(server.pid)
        for size in sizes:
            rows = found.setdefault(size, {})
            try:
                before, begun = processor(server.pid), time.perf_counter()
                asker.fill(filled, size)
                count = size - filled
                rows["a write of a batch"] = (
                    (time.perf_counter() - begun) / count * 1000,
                    (processor(server.pid) - before) / count * 1000,
                )
                filled = size
                rows["memory of a document, bytes"] = (resident(server.pid) - empty) * 1024 * 1024 / size
                rows["get"] = timed(server.pid, asker.get, 200)
                rows["set elsewhere"] = timed(server.pid, asker.set, 200)
                rows["query of 100"] = timed(server.pid, asker.hundred, 20)
                rows["query by a field that few have"] = timed(server.pid, asker.rare, 20)
                rows["count and sum of all"] = timed(server.pid, asker.total, 10)
                rows["first snapshot of those few"] = timed(server.pid, asker.hear_rare, 10)
            except grpc.RpcError as problem:
                rows["gave up"] = str(problem.code())
                break
        rows = found.setdefault("streams", {})
        try:
            asker.streams()
            wall, used = timed(server.pid, asker.streams, 3)
            rows[f"{STREAMS} listeners on one connection, a write to each"] = (wall, used)
        except grpc.RpcError as problem:
            rows["gave up"] = str(problem.code())
    finally:
        server.terminate()
        server.wait()
    return found


def preface():
    """The beginning of a connection of HTTP/2: what a client sends that then does nothing."""
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + struct.pack(">I", 0)[1:] + bytes([4, 0]) + struct.pack(">I", 0)


def crowd(command, count):
    """A get and a set while `count` connections are open that do nothing."""
    server, port = start(command)
    sockets = []
    try:
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port))
            one.sendall(preface())
            one.recv(65536)
            sockets.append(one)
        asker = Asker(port)
        asker.set()
        asker.fill(0, 1000)
        return timed(server.pid, asker.get, 200), timed(server.pid, asker.set, 200)
    finally:
        for one in sockets:
            one.close()
        server.terminate()
        server.wait()


def text(value):
    if value is None:
        return ""
    if isinstance(value, tuple):
        return f"{value[0]:.2f} / {value[1]:.2f}"
    return value if isinstance(value, str) else f"{value:,.0f}"


def main():
    program = os.path.abspath(sys.argv[1])
    sizes = [int(size) for size in sys.argv[2:]] or [1_000, 10_000, 100_000]
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit[1], 12_000), limit[1]))
    with tempfile.TemporaryDirectory() as folder:
        rules = os.path.join(folder, "firestore.rules")
        with open(rules, "w") as file:
            file.write(RULES)
        servers = {"rules-check": lambda port: [program, "serve", "--port", str(port), "--rules", rules, "--quiet"]}
        if os.path.exists(JAR):
            name = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
            servers["official"] = lambda port: [
                "java", "-cp", JAR, name, "--host=127.0.0.1", f"--port={port}", f"--rules={rules}"
            ]
        else:
            print(f"the official emulator is missing: no {JAR}")
        for server, command in servers.items():
            found = grow(command, sizes)
            print(f"| {server} | " + " | ".join(f"{size:,}" for size in sizes) + " |")
            print("|---|" + "--:|" * len(sizes))
            for row in dict.fromkeys(row for size in sizes for row in found.get(size, {})):
                print(f"| {row} | " + " | ".join(text(found.get(size, {}).get(row)) for size in sizes) + " |")
            for row, value in found["streams"].items():
                print(f"{row}: {text(value)}")
            for count in IDLE:
                try:
                    get, set_ = crowd(command, count)
                    print(f"{count:,} idle connections: get {text(get)}, set {text(set_)}")
                except (OSError, grpc.RpcError) as problem:
                    print(f"{count:,} idle connections: {problem.__class__.__name__}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
