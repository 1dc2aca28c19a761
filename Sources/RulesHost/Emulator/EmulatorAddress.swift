package import RulesLang

/// The address of a running official emulator.
package struct EmulatorAddress: Sendable {
  private let host: String
  private let port: UInt16

  /// Returns the option for the address of a running emulator.
  package static func option(_ summary: String) -> Option<EmulatorAddress> {
    Option(
      name: "--emulator", value: "HOST:PORT", summary: summary,
      reading: { text, name throws(UsageProblem) in try EmulatorAddress(text, option: name) })
  }

  /// Parses `HOST:PORT` and checks that an emulator answers there.
  private init(_ address: String, option: String) throws(UsageProblem) {
    let parts = address.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0 else {
      throw UsageProblem("`\(option) \(address)` is not HOST:PORT", help: "as in 127.0.0.1:8080")
    }
    host = String(parts[0])
    self.port = port
    do throws(EmulatorClient.Problem) {
      try client("rules-check").checkIsEmulator()
    } catch {
      throw UsageProblem(
        error.message, help: "start one with: firebase emulators:start --only firestore")
    }
  }

  /// Returns a client of the emulator for a project of its own.
  package func client(
    _ project: String, database: DatabaseName = .standard
  ) -> EmulatorClient {
    EmulatorClient(host: host, port: port, project: project, database: database)
  }

  /// Connects to the emulator.
  package func link() throws(EmulatorClient.Problem) -> EmulatorLink {
    try EmulatorLink(host: host, port: port)
  }
}
