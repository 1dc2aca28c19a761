/// The case folding of the flag `i`: which code points are the same letter (Docs/Language.md §8).
///
/// The letters of an orbit, such as `K`, `k` and the Kelvin sign, form a ring: each leads to the next larger,
/// the largest to the smallest. U+1C80–1C88 have no variants: the emulator would fold them without end.
/// [choice]
enum CaseFolding {
  /// The last code point that the emulator folds in a class; above it, `(?i)[x]` is `[x]`, whereas
  /// `(?i)x` outside of a class folds everywhere.
  private static let greatestInClass: UInt32 = 0x1044F

  /// Consecutive letters that fold in the same way.
  private struct Run {
    let start: UInt32
    let end: UInt32
    /// The distance to the next letter of the ring; 0 if the letters of the run are pairs.
    let step: Int32

    func successor(of letter: UInt32) -> UInt32 {
      if step == 0 { return (letter - start) & 1 == 0 ? letter + 1 : letter - 1 }
      return UInt32(Int32(letter) + step)
    }
  }

  private static let runs = unpackRuns()

  /// Returns the letter and its variants.
  static func variants(of letter: UInt32) -> CodePointSet {
    var intervals = [CodePointSet.Interval(from: letter, through: letter)]
    if let run = run(notBefore: letter), run.start <= letter {
      appendVariants(of: letter, in: run, to: &intervals)
    }
    return CodePointSet(intervals)
  }

  /// Returns a class of a pattern with the variants of its letters.
  static func folded(_ set: CodePointSet) -> CodePointSet {
    var intervals = set.intervals
    for interval in set.intervals {
      var letter = interval.lower
      let upper = min(interval.upper, greatestInClass)
      while letter <= upper, let run = run(notBefore: letter) {
        letter = max(letter, run.start)
        while letter < run.end, letter <= upper {
          appendVariants(of: letter, in: run, to: &intervals)
          letter += 1
        }
      }
    }
    return CodePointSet(intervals)
  }

  private static func appendVariants(
    of letter: UInt32, in run: Run, to intervals: inout [CodePointSet.Interval]
  ) {
    var variant = run.successor(of: letter)
    while variant != letter {
      intervals.append(CodePointSet.Interval(from: variant, through: variant))
      guard let next = self.run(notBefore: variant) else { return }
      variant = next.successor(of: variant)
    }
  }

  /// Returns the first run that ends after `letter`.
  private static func run(notBefore letter: UInt32) -> Run? {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end <= letter { low = middle + 1 } else { high = middle }
    }
    return low < runs.count ? runs[low] : nil
  }

  /// Unpacks the runs. A step is packed as 0, or as twice the distance, less one if it leads backwards.
  private static func unpackRuns() -> [Run] {
    var reader = NumberReader(UnicodeTables.caseRuns)
    var runs: [Run] = []
    var place: UInt32 = 0
    while let gap = reader.next(), let length = reader.next(), let packed = reader.next() {
      let start = place + gap
      place = start + length
      let step = packed & 1 == 0 ? Int32(packed / 2) : -Int32((packed + 1) / 2)
      runs.append(Run(start: start, end: place, step: step))
    }
    return runs
  }
}
