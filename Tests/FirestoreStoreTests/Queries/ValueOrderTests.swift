import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// The order across types (Docs/Emulator.md, Queries).
@Suite struct ValueOrderTests {
  /// Values in ascending order; those in one row are equal.
  static let rows: [[Value]] = [
    [.null], [.bool(false)], [.bool(true)], [.float(.nan)], [.float(-.infinity)],
    [.int(.min), .float(-0x1p63)], [.int(-1)], [.float(-0.0), .int(0), .float(0)], [.float(0.5)],
    [.int(1), .float(1)], [.float(0x1p53), .int(1 << 53)], [.int(1 << 53 + 1)], [.int(.max)],
    [.float(0x1p63)], [.float(.infinity)],
    [.timestamp(.epoch)], [.timestamp(Fixture.time(0))], [.timestamp(Fixture.time(1))],
    [.string("")], [.string("A")], [.string("a")], [.string("é")], [.string("\u{FFFF}")],
    [.string("😀")],
    [.bytes([])], [.bytes([1])], [.bytes([1, 0])], [.bytes([255])],
    // The project of the database stands between the two others.
    [.path(PathValue(plain: ["projects", "a", "databases", "z", "documents", "z", "z"]))],
    [
      Fixture.reference("a/__id7__"),
      .path(
        PathValue(
          plain: ["projects", "demo-sem", "databases", "(default)", "documents", "a", "__id7__"])),
    ],
    [Fixture.reference("a/__id10__")], [Fixture.reference("a/10")], [Fixture.reference("a/9")],
    [Fixture.reference("a/9/b/1")], [Fixture.reference("b/1")],
    [.path(PathValue(plain: ["databases", "second", "documents", "a", "b"]))],
    [.path(PathValue(plain: ["projects", "z", "databases", "a", "documents", "a", "a"]))],
    [.latlng(LatLng(latitude: -1, longitude: 9))], [.latlng(LatLng(latitude: 1, longitude: 2))],
    [.latlng(LatLng(latitude: 1, longitude: 3))],
    [.list([])], [.list([.int(1)])], [.list([.int(1), .int(2)])], [.list([.int(2)])],
    [.list([.string("a")])],
    [.vector([9])], [.vector([1, 2])], [.vector([1, 3])], [.vector([0, 0, 0])],
    [.map(MapValue())], [.map(Fixture.map(["a": .int(1)]))],
    [.map(Fixture.map(["a": .int(1), "b": .int(0)]))], [.map(Fixture.map(["a": .int(2)]))],
    [.map(Fixture.map(["b": .null]))],
  ]

  @Test func eachValueStandsWhereItsRowIs() {
    let order = ValueOrder(id: Fixture.id)
    for (one, left) in Self.rows.enumerated() {
      for (other, right) in Self.rows.enumerated() {
        for value in left {
          for second in right {
            let expected: Ordering = one < other ? .less : one == other ? .equal : .greater
            #expect(order.compare(value, second) == expected, "\(value) and \(second)")
          }
        }
      }
    }
  }
}
