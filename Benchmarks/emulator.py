"""The emulator beside the official one, in one run: start, memory, and calls over gRPC.

    python3 Benchmarks/emulator.py .build/release/rules-check

Needs google-cloud-firestore; for the official emulator Java and its jar, by FIRESTORE_EMULATOR_JAR or where
Debian's package google-cloud-cli-firestore-emulator puts it. What is not there is said to be missing.
"""

import base64
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import grpc
from google.cloud.firestore_v1.types import document, firestore, query, write

JAR = os.environ.get(
    "FIRESTORE_EMULATOR_JAR",
    "/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar",
)
PROJECT = "demo-bench"
DATABASE = f"projects/{PROJECT}/databases/(default)"
ROOT = f"{DATABASE}/documents"
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid} {
      allow read: if request.auth != null;
      allow write: if request.auth.uid == uid;
    }
  }
}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def token(uid):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return part({"alg": "none", "type": "JWT"}) + "." + part({"sub": uid, "user_id": uid}) + "."


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))


def processor(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Caller:
    def __init__(self, port):
        channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        service = "/google.firestore.v1.Firestore/"
        commit, get = firestore.CommitRequest, firestore.GetDocumentRequest
        self.commit = channel.unary_unary(
            service + "Commit", commit.serialize, firestore.CommitResponse.deserialize
        )
        self.get = channel.unary_unary(service + "GetDocument", get.serialize, document.Document.deserialize)
        self.query = channel.unary_stream(
            service + "RunQuery", firestore.RunQueryRequest.serialize, firestore.RunQueryResponse.deserialize
        )

    @staticmethod
    def who(uid):
        return [("authorization", "Bearer owner" if uid is None else f"Bearer {token(uid)}")]

    def set(self, uid, path, number=0):
        fields = {"n": document.Value(integer_value=number), "name": document.Value(string_value="x" * 20)}
        one = write.Write(update=document.Document(name=f"{ROOT}/{path}", fields=fields))
        return self.commit(firestore.CommitRequest(database=DATABASE, writes=[one]), metadata=self.who(uid))

    def read(self, uid, path):
        return self.get(firestore.GetDocumentRequest(name=f"{ROOT}/{path}"), metadata=self.who(uid))

    def list(self, uid, limit):
        asked = query.StructuredQuery(
            from_=[query.StructuredQuery.CollectionSelector(collection_id="users")], limit=limit
        )
        request = firestore.RunQueryRequest(parent=ROOT, structured_query=asked)
        return list(self.query(request, metadata=self.who(uid)))


def median(call, count=300):
    times = []
    for _ in range(count):
        before = time.perf_counter()
        try:
            call()
        except grpc.RpcError as problem:
            if problem.code() != grpc.StatusCode.PERMISSION_DENIED:
                raise
        times.append((time.perf_counter() - before) * 1000)
    return statistics.median(times)


def measure(command):
    """What a server comes to; `command` makes its arguments of a port."""
    port = free_port()
    started = time.perf_counter()
    server = subprocess.Popen(command(port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = {}
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).read()
                break
            except OSError:
                time.sleep(0.002)
        found["first answer, ms"] = (time.perf_counter() - started) * 1000
        body = json.dumps({"rules": {"files": [{"content": RULES}]}}).encode()
        url = f"http://127.0.0.1:{port}/emulator/v1/projects/{PROJECT}:securityRules"
        urllib.request.urlopen(
            urllib.request.Request(url, body, {"content-type": "application/json"}, method="PUT"), timeout=30
        ).read()
        caller = Caller(port)
        caller.set("alice", "users/alice")
        before = processor(server.pid)
        found["get allowed, p50 ms"] = median(lambda: caller.read("bob", "users/alice"))
        found["set allowed, p50 ms"] = median(lambda: caller.set("alice", "users/alice"))
        found["set denied, p50 ms"] = median(lambda: caller.set("bob", "users/alice"))
        begun = time.perf_counter()
        for number in range(1000):
            caller.set(None, f"users/u{number:04d}", number)
        found["1,000 writes, s"] = time.perf_counter() - begun
        found["query of 100, p50 ms"] = median(lambda: caller.list("bob", 100), 100)
        for _ in range(2500):
            caller.read("bob", "users/alice")
        found["processor for these 4,500 calls, s"] = processor(server.pid) - before
        found["memory then, MiB"] = resident(server.pid)
    finally:
        server.terminate()
        server.wait()
    return found


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        rules = os.path.join(folder, "firestore.rules")
        with open(rules, "w") as file:
            file.write(RULES)
        servers = {"rules-check": lambda port: [program, "serve", "--port", str(port), "--rules", rules, "--quiet"]}
        if os.path.exists(JAR):
            name = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
            servers["official"] = lambda port: ["java", "-cp", JAR, name, "--host", "127.0.0.1", "--port", str(port)]
        else:
            print(f"the official emulator is missing: no {JAR}")
        results = {name: measure(command) for name, command in servers.items()}
    print("| | " + " | ".join(results) + " |")
    print("|---|" + "--:|" * len(results))
    for row in results["rules-check"]:
        print(f"| {row} | " + " | ".join(f"{found[row]:.2f}" for found in results.values()) + " |")


if __name__ == "__main__":
    main()
