/// A deterministic random number generator: the same seed gives the same choices on every platform.
public struct Dice: Sendable {
  private var state: UInt64

  /// Seeds the generator with a seed and a position in the run, so that each part of a run can be repeated
  /// alone.
  public init(seed: UInt64, _ place: UInt64...) {
    state = seed
    for number in place {
      state = next() ^ (number &* 0xD6E8_FEB8_6659_FD93)
    }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Returns a number from 0 up to but not including `sides`.
  ///
  /// - Requires: `sides` is positive.
  public mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }

  /// Returns a number of a range.
  public mutating func roll(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + roll(range.count)
  }

  /// True with a probability of `percent` in a hundred.
  public mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }

  /// Returns one of the elements.
  ///
  /// - Requires: There is one.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[roll(elements.count)]
  }

  /// Makes elements, as many as a number of the range.
  public mutating func several<Element>(
    _ range: ClosedRange<Int>, make: (inout Dice) -> Element
  ) -> [Element] {
    (0..<roll(range)).map { _ in make(&self) }
  }

  /// Returns the elements in random order.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var rest = elements
    var result: [Element] = []
    while !rest.isEmpty { result.append(rest.remove(at: roll(rest.count))) }
    return result
  }
}
