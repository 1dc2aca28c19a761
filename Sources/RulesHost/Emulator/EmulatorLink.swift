/// A TCP connection to a running emulator, for any protocol.
package final class EmulatorLink {
  private let connection: Connection
  private let address: String

  /// Maximum seconds to connect or to send: as long as an HTTP request may take.
  private static let patience = 60.0

  /// Connects to an emulator.
  package init(host: String, port: UInt16) throws(EmulatorClient.Problem) {
    address = "\(host):\(port)"
    do throws(HTTPProblem) {
      let deadline = Connection.Deadline(seconds: Self.patience)
      connection = try Connection(host: host, port: port, by: deadline)
    } catch {
      throw Self.problem(error, at: address)
    }
  }

  /// Sends all bytes.
  package func send(_ bytes: [UInt8]) throws(EmulatorClient.Problem) {
    do throws(HTTPProblem) {
      try connection.send(bytes, by: Connection.Deadline(seconds: Self.patience))
    } catch {
      throw Self.problem(error, at: address)
    }
  }

  /// Waits for bytes and returns what arrived; empty if nothing arrives in time.
  package func receive(within milliseconds: Int) throws(EmulatorClient.Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(HTTPProblem) {
      let deadline = Connection.Deadline(seconds: Double(milliseconds) / 1000)
      try connection.receive(into: &bytes, by: deadline)
    } catch {
      if case .late = error { return bytes }
      throw Self.problem(error, at: address)
    }
    return bytes
  }

  private static func problem(
    _ problem: HTTPProblem, at address: String
  ) -> EmulatorClient.Problem {
    switch problem {
    case .noConnection(let why): EmulatorClient.Problem(message: why)
    case .broken(let why), .late(let why): EmulatorClient.Problem(message: "\(address): \(why)")
    }
  }
}
