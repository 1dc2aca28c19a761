import Foundation
import Testing

@testable import rules_check

/// What a user is told who names something else than an emulator.
@Suite struct EmulatorAnswerTests {
  @Test func whatListensButIsNoEmulatorIsNamed() throws {
    let server = try #require(
      OneLineServer("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"))
    let result = try run(["test", "rules", "--emulator", "127.0.0.1:\(server.port)"])
    #expect(result.exit == 2)
    #expect(result.output.isEmpty)
    let expected = "what listens on 127.0.0.1:\(server.port) is no Firestore emulator"
    #expect(result.complaints.contains(expected))
  }

  @Test func whatDoesNotSpeakHTTPIsNamed() throws {
    let server = try #require(OneLineServer("220 mail.example.com ESMTP\r\n\r\n"))
    let result = try run(["differential", "--emulator", "127.0.0.1:\(server.port)"])
    #expect(result.exit == 2)
    #expect(result.output.isEmpty)
    #expect(result.complaints.contains("does not speak HTTP"))
  }

  @Test func aServerThatHangsUpIsNamed() throws {
    let server = try #require(OneLineServer(""))
    let result = try run(["test", "rules", "--emulator", "127.0.0.1:\(server.port)"])
    #expect(result.exit == 2)
    #expect(result.complaints.contains("127.0.0.1:\(server.port)"))
  }

  private func run(_ arguments: [String]) throws -> CommandLineCase.Result {
    let process = Process()
    process.executableURL = CommandLineCase.program
    process.arguments = arguments
    process.currentDirectoryURL = CommandLineCase.package
    let (output, complaints) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = complaints
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return CommandLineCase.Result(
      output: String(decoding: printed, as: UTF8.self),
      complaints: String(decoding: complained, as: UTF8.self), exit: process.terminationStatus)
  }
}

/// A server that answers whatever it is sent with one text and hangs up, until it is dropped.
private final class OneLineServer: Sendable {
  /// Where it listens, on this machine only.
  let port: UInt16
  private let listener: Int32

  init?(_ answer: String) {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 4) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard listener >= 0, isListening else { return nil }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        var received = [UInt8](repeating: 0, count: 4096)
        _ = recv(connection, &received, received.count, 0)
        _ = Array(answer.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
        close(connection)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}
