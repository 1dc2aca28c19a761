#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An official Firestore emulator that this process starts and ends.
package final class EmulatorProcess {
  /// The port on this machine that it listens on.
  package let port: UInt16
  private let java: ChildProcess

  private static let package = "google-cloud-cli-firestore-emulator"
  private static let mainClass =
    "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
  private static let patience: UInt64 = 60_000_000_000

  /// Returns the path of the emulator's jar: the one in `FIRESTORE_EMULATOR_JAR`, otherwise that of the
  /// Debian package; nil if there is none.
  package static func jar() -> String? {
    if let named = getenv("FIRESTORE_EMULATOR_JAR") {
      let path = String(cString: named)
      return FileSystem.kind(of: path) == .file ? path : nil
    }
    let files = String(
      decoding: ChildProcess.output(of: ["dpkg", "-L", package]) ?? [], as: UTF8.self)
    return files.split(separator: "\n").map(String.init)
      .first { $0.hasSuffix("firestore-emulator.jar") }
  }

  /// Starts an emulator and waits until it answers.
  package init(jar: String) throws(EmulatorClient.Problem) {
    guard let port = FreePort.find() else {
      throw EmulatorClient.Problem(message: "there is no free port")
    }
    self.port = port
    do throws(FileProblem) {
      java = try ChildProcess([
        "java", "-Duser.language=en", "-Xmx1g", "-cp", jar, Self.mainClass, "--host", "127.0.0.1",
        "--port", "\(port)",
      ])
    } catch {
      throw EmulatorClient.Problem(message: error.message)
    }
    let begin = Clock.nanoseconds
    let client = EmulatorClient(host: "127.0.0.1", port: port, project: "rules-check")
    while (try? client.checkIsEmulator()) == nil {
      guard java.isRunning, Clock.nanoseconds - begin < Self.patience else {
        throw EmulatorClient.Problem(message: "the emulator does not start: java -cp \(jar)")
      }
      usleep(50_000)
    }
  }

  /// Ends the emulator.
  package func stop() { java.stop() }
}
