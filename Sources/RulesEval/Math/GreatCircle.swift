/// Distances on the sphere. (Docs/Language.md §8)
public enum GreatCircle {
  /// The radius of the Earth in metres that `latlng.distance` uses.
  public static let earthRadius = 6_371_009.0

  /// Returns the distance in metres between two points given in degrees, as `latlng.distance` does.
  ///
  /// Computed by the haversine formula in floats, in the emulator's order of operations, with correctly
  /// rounded sines, cosines and arcsines. The result agrees with the emulator to 10^-15, except within some
  /// 100 metres of opposite points, where the formula itself keeps only half of the digits.
  ///
  /// - Requires: Latitudes are in -90...90 and longitudes in -180...180.
  public static func distance(
    fromLatitude latitude: Double, longitude: Double,
    toLatitude otherLatitude: Double, longitude otherLongitude: Double
  ) -> Double {
    let (first, second) = (radians(latitude), radians(otherLatitude))
    let northward = sine(0.5 * (second - first))
    let eastward = sine(0.5 * (radians(otherLongitude) - radians(longitude)))
    let haversine =
      northward * northward + eastward * eastward * cosine(first) * cosine(second)
    let angle = 2 * DoubleDouble.arcsine(Arithmetic.squareRoot(min(1, haversine))).high
    return angle * earthRadius
  }

  private static func radians(_ degrees: Double) -> Double { degrees * 0.017453292519943295 }

  private static func sine(_ angle: Double) -> Double {
    DoubleDouble.sine(DoubleDouble(angle)).high
  }

  private static func cosine(_ angle: Double) -> Double {
    DoubleDouble.cosine(DoubleDouble(angle)).high
  }
}
