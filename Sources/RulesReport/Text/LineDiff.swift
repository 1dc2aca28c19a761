/// A unified diff of two texts, line by line.
///
/// The shortest one (Myers' greedy algorithm) if the texts differ in at most `maximumChanges` lines; else
/// everything between the first and the last difference is one change. So time and memory are bounded for
/// texts of any size.
struct LineDiff {
  /// A line of a hunk: in both texts, only in the old, or only in the new one.
  enum Mark: String { case both = " ", old = "-", new = "+" }

  /// A hunk: consecutive lines with changes and their context.
  struct Hunk {
    /// The first line of the hunk in the old text, from 0.
    var oldStart: Int
    /// The first line of the hunk in the new text, from 0.
    var newStart: Int
    /// The lines.
    var lines: [(mark: Mark, text: ArraySlice<UInt8>)] = []

    /// The number of its lines in the old text, or in the new one.
    func count(_ mark: Mark) -> Int { lines.count { $0.mark == mark || $0.mark == .both } }
  }

  /// Lines of context around a change.
  private static let context = 3
  /// Maximum changed lines of a minimal diff.
  private static let maximumChanges = 1_000

  private let old: [ArraySlice<UInt8>]
  private let new: [ArraySlice<UInt8>]
  /// The number of each old line; equal lines have equal numbers.
  private var oldNumbers: [Int] = []
  private var newNumbers: [Int] = []

  /// Compares two texts. Lines include their ends.
  init(_ old: [UInt8], _ new: [UInt8]) {
    self.old = Self.lines(old)
    self.new = Self.lines(new)
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    for line in self.old { oldNumbers.append(Self.number(line, in: &numbers)) }
    for line in self.new { newNumbers.append(Self.number(line, in: &numbers)) }
  }

  private static func number(
    _ line: ArraySlice<UInt8>, in numbers: inout [ArraySlice<UInt8>: Int]
  ) -> Int {
    if let number = numbers[line] { return number }
    numbers[line] = numbers.count
    return numbers.count - 1
  }

  private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(text[start...index])
      start = index + 1
    }
    if start < text.count { lines.append(text[start...]) }
    return lines
  }

  // MARK: Hunks

  /// The hunks; none if the texts are equal.
  var hunks: [Hunk] {
    var hunks: [Hunk] = []
    var (line, newLine) = (0, 0)
    var unchanged = 0
    for mark in script {
      if mark == .both {
        unchanged += 1
        if unchanged <= Self.context, !hunks.isEmpty { add(.both, line, to: &hunks) }
      } else {
        if hunks.isEmpty || unchanged > 2 * Self.context {
          let lead = min(unchanged, Self.context)
          hunks.append(Hunk(oldStart: line - lead, newStart: newLine - lead))
          for before in (line - lead)..<line { add(.both, before, to: &hunks) }
        } else {
          for before in (line - max(0, unchanged - Self.context))..<line {
            add(.both, before, to: &hunks)
          }
        }
        unchanged = 0
        add(mark, mark == .old ? line : newLine, to: &hunks)
      }
      if mark != .new { line += 1 }
      if mark != .old { newLine += 1 }
    }
    return hunks
  }

  private func add(_ mark: Mark, _ line: Int, to hunks: inout [Hunk]) {
    hunks[hunks.count - 1].lines.append((mark, mark == .new ? new[line] : old[line]))
  }

  // MARK: The shortest script

  /// The edit script, line by line, deletions before insertions.
  private var script: [Mark] {
    var first = 0
    let shorter = min(old.count, new.count)
    while first < shorter, oldNumbers[first] == newNumbers[first] { first += 1 }
    var same = 0
    while same < shorter - first,
      oldNumbers[old.count - 1 - same] == newNumbers[new.count - 1 - same]
    {
      same += 1
    }
    let middle = Self.script(
      oldNumbers[first..<(old.count - same)], newNumbers[first..<(new.count - same)])
    return Array(repeating: .both, count: first) + middle + Array(repeating: .both, count: same)
  }

  private static func script(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> [Mark] {
    let (old, new) = (Array(old), Array(new))
    var trace: [[Int]] = []
    var reach = [0, 0, 0]
    for changes in 0...maximumChanges {
      // `reach[k + changes + 1]`: the furthest position in the old text on diagonal k.
      var next = Array(repeating: 0, count: 2 * changes + 5)
      for diagonal in stride(from: -changes, through: changes, by: 2) {
        let place = diagonal + changes + 1
        let isDown =
          diagonal == -changes || (diagonal != changes && reach[place - 1] < reach[place + 1])
        var x = isDown ? reach[place + 1] : reach[place - 1] + 1
        while x < old.count, x - diagonal < new.count, x >= diagonal, old[x] == new[x - diagonal] {
          x += 1
        }
        next[place + 1] = x
        if x >= old.count, x - diagonal >= new.count {
          trace.append(reach)
          return walk(back: trace, old.count, new.count)
        }
      }
      trace.append(reach)
      reach = next
    }
    return Array(repeating: .old, count: old.count) + Array(repeating: .new, count: new.count)
  }

  private static func walk(back trace: [[Int]], _ oldCount: Int, _ newCount: Int) -> [Mark] {
    var marks: [Mark] = []
    var (x, y) = (oldCount, newCount)
    for (changes, reach) in trace.enumerated().reversed() {
      let diagonal = x - y
      let place = diagonal + changes + 1
      let isDown =
        diagonal == -changes || (diagonal != changes && reach[place - 1] < reach[place + 1])
      let startX = changes == 0 ? 0 : isDown ? reach[place + 1] : reach[place - 1]
      let startY = changes == 0 ? 0 : startX - (isDown ? diagonal + 1 : diagonal - 1)
      let afterX = changes == 0 || isDown ? startX : startX + 1
      while x > afterX {
        marks.append(.both)
        (x, y) = (x - 1, y - 1)
      }
      if changes > 0 { marks.append(isDown ? .new : .old) }
      (x, y) = (startX, startY)
    }
    return marks.reversed()
  }
}
