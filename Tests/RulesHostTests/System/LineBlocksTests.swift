import Foundation
import Testing

@testable import RulesHost

/// Files read in blocks of whole lines.
@Suite struct LineBlocksTests {
  private func blocks(of bytes: [UInt8]) throws -> [[UInt8]] {
    let path = NSTemporaryDirectory() + "blocks-\(UUID().uuidString)"
    try FileSystem.write(bytes, to: path)
    defer { unlink(path) }
    var blocks = try LineBlocks(path)
    var found: [[UInt8]] = []
    while let block = try blocks.next() { found.append(block) }
    // The end stays the end.
    #expect(try blocks.next() == nil)
    return found
  }

  @Test func blocksAreTheFileAndEndWithALine() throws {
    var bytes: [UInt8] = []
    for number in 0..<130_000 {
      bytes += Array("{\"number\": \(number), \"text\": \"some\"}\n".utf8)
    }
    bytes += Array("the last line has no end".utf8)
    let found = try blocks(of: bytes)
    #expect(found.count > 1)
    #expect(found.reduce(into: []) { $0 += $1 } == bytes)
    #expect(found.dropLast().allSatisfy { $0.last == UInt8(ascii: "\n") })
  }

  @Test func aLineThatIsLongerThanABlockIsOneBlock() throws {
    let line = Array(repeating: UInt8(ascii: "x"), count: 5 << 20)
    let found = try blocks(of: line + Array("\nshort\n".utf8))
    #expect(found.first.map { Array($0.prefix(line.count)) } == line)
    #expect(found.map(\.count).reduce(0, +) == line.count + 7)
  }

  @Test func anEmptyFileHasNoBlocks() throws { #expect(try blocks(of: []).isEmpty) }

  @Test func whatCannotBeReadIsSaidWhenItIsAskedFor() throws {
    #expect(throws: FileProblem.self) { _ = try LineBlocks("/no/such/file") }
    #expect(throws: FileProblem.self) {
      var blocks = try LineBlocks(NSTemporaryDirectory())
      _ = try blocks.next()
    }
  }
}
