extension Domain {
  /// The granularity of stored values, in steps: timestamps are stored in microseconds.
  package var grain: Int128 { self == .timestamp ? 1000 : 1 }
}

extension Int128 {
  /// Returns the nearest multiple of `grain` that is not less (`up`), or not greater.
  package func rounded(toMultipleOf grain: Int128, up: Bool) -> Int128 {
    let rest = (self % grain + grain) % grain
    return rest == 0 ? self : up ? self - rest + grain : self - rest
  }
}
