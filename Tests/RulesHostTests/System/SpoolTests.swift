import Testing

@testable import RulesHost

/// Pieces of text that are kept outside of memory.
@Suite struct SpoolTests {
  private func pieces(_ number: Int) -> [String] {
    (0..<100).map { String(repeating: "\(number)ä\n", count: $0 * 7) }
  }

  /// A spool with the batches 0 to `count`, given to it one by one.
  private func spool(_ count: Int, in folder: String) -> Spool {
    let spool = Spool(folder: folder)
    for number in 0..<count {
      var batch = Spool.Batch()
      for piece in pieces(number) { batch.append(piece) }
      spool.add(batch)
    }
    return spool
  }

  private func read(_ spool: Spool) -> [String] {
    var found: [String] = []
    spool.forEach { found.append($0) }
    return found
  }

  @Test func manyPiecesComeBackInOrderFromAFileAsOftenAsOneLikes() {
    let spool = spool(16, in: FileSystem.temporaryFolder)
    #expect(spool.hasFile)
    let expected = (0..<16).flatMap { pieces($0) }
    #expect(read(spool) == expected)
    #expect(read(spool) == expected)
    #expect(spool.problem == nil)
  }

  @Test func fewPiecesStayInMemory() {
    let spool = spool(2, in: FileSystem.temporaryFolder)
    #expect(!spool.hasFile)
    #expect(read(spool) == pieces(0) + pieces(1))
  }

  @Test func withoutAPlaceForAFileNothingIsLost() {
    let spool = spool(16, in: "/nowhere/at/all")
    #expect(!spool.hasFile)
    #expect(read(spool) == (0..<16).flatMap { pieces($0) })
  }
}
