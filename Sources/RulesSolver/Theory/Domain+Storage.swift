extension Domain {
  /// The step of storage.
  package var grain: Int128 { self == .timestamp ? 1000 : 1 }
}

extension Int128 {
  /// The nearest multiple that is not less, or not greater.
  package func rounded(toMultipleOf grain: Int128, up: Bool) -> Int128 {
    let rest = (self % grain + grain) % grain
    return rest == 0 ? self : up ? self - rest + grain : self - rest
  }
}
