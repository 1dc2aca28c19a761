import Testing

@testable import RulesLang
@testable import RulesTesting

/// The table of expressions beside an array.
@Suite struct ExpressionTableTests {
  private func expression(_ number: Int) -> Expression {
    let range = SourceRange(start: number, end: number + 1)
    return Expression(.literal(.int(Int64(number))), range: range, mark: range)
  }

  private func numbers(_ table: ExpressionTable) -> [UInt32] { table.map { $0.range.start } }

  @Test(arguments: [0, 1, 63, 64, 65, 128, 1000])
  func holdsWhatWasAdded(_ count: Int) {
    var table = ExpressionTable()
    table.reserveCapacity(count)
    for number in 0..<count { table.append(expression(number)) }
    #expect(table.count == count)
    #expect(table.indices == 0..<count)
    #expect(numbers(table) == (0..<count).map { UInt32($0) })
  }

  @Test(arguments: 1...40)
  func copiesGoTheirOwnWay(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    var tables = [ExpressionTable()]
    var arrays: [[UInt32]] = [[]]
    for number in 0..<600 {
      let place = Int(random.next() % UInt64(tables.count))
      switch random.next() % 8 {
      case 0 where tables.count < 8:
        tables.append(tables[place])
        arrays.append(arrays[place])
      case 1, 2, 3:
        guard !arrays[place].isEmpty else { continue }
        let index = Int(random.next() % UInt64(arrays[place].count))
        tables[place][index].range = SourceRange(start: number, end: number)
        arrays[place][index] = UInt32(number)
      default:
        for _ in 0..<(1 + Int(random.next() % 20)) {
          tables[place].append(expression(number))
          arrays[place].append(UInt32(number))
        }
      }
    }
    for (table, array) in zip(tables, arrays) { #expect(numbers(table) == array) }
  }
}
