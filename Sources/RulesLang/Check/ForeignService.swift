// Services of other products. Google's compiler accepts rules of several services, and of services that it
// does not know; each request is then decided by the rules of its own service. Other rules allow nothing in
// Firestore, which is true and misleading, so they are refused.

extension Checker {
  /// Parses and checks a file that should contain Firestore rules: with the results of `check`, and an error
  /// for each service of another product. (Docs/Language.md §1.4)
  public static func checkFirestore(
    _ source: SourceText, profile: Profile = .emulator, database: DatabaseName = .standard
  ) -> Outcome {
    check(source, profile: profile, database: database).refusingForeignServices()
  }
}

extension SourceText {
  /// The first service, if all are of products other than Firestore; nil if some are Firestore's, or have a
  /// name that may be Firestore's misspelt.
  public var foreignService: String? {
    let services = Parser.parse(self).ruleset.services.map { String($0.name.text) }
    let firestore = String(Ruleset.firestoreService)
    let isOther = services.allSatisfy {
      $0 != firestore && Spelling.nearest(to: $0, among: [firestore]) == nil
    }
    return isOther ? services.first : nil
  }
}

extension Checker.Outcome {
  /// Returns this outcome with an error for each service of another product.
  fileprivate func refusingForeignServices() -> Self {
    let foreign = ruleset.services.filter { $0.name.text != Ruleset.firestoreService }
    if foreign.isEmpty { return self }
    let hasFirestore = foreign.count < ruleset.services.count
    // Google's warnings inside of a foreign service follow from the service, which is reported once.
    var diagnostics = diagnostics.filter { one in
      one.severity == .error || !foreign.contains { $0.encloses(one) }
    }
    diagnostics += foreign.map { .foreignService($0.name, besideFirestore: hasFirestore) }
    return Self(
      checked: nil, diagnostics: diagnostics.sortedByPlace(), ruleset: ruleset,
      mixed: hasFirestore ? checked : nil)
  }
}

extension Ruleset {
  /// True if a diagnostic lies in a service of another product.
  package func isForeign(_ diagnostic: Diagnostic) -> Bool {
    services.contains { $0.name.text != Self.firestoreService && $0.encloses(diagnostic) }
  }
}

extension Service {
  /// True if a diagnostic lies in the service.
  fileprivate func encloses(_ diagnostic: Diagnostic) -> Bool {
    guard let place = diagnostic.range else { return false }
    return place.start >= range.start && place.end <= range.end
  }
}

extension Diagnostic {
  fileprivate static func foreignService(_ name: Name, besideFirestore: Bool) -> Diagnostic {
    let text = String(name.text)
    let firestore = String(Ruleset.firestoreService)
    let isMisspelt = Spelling.nearest(to: text, among: [firestore]) != nil
    let help =
      isMisspelt && !besideFirestore
      ? "did you mean `\(firestore)`?"
      : besideFirestore
        ? "keep the rules of each service in a file of its own"
        : "name a file that has `service \(firestore)`"
    let meant = isMisspelt && !besideFirestore ? firestore : nil
    return Diagnostic(
      .foreignService, severity: .error,
      message: "`\(text)` is another service: only rules for `\(firestore)` are read",
      at: name.range, help: help
    ).fixing(with: meant).noting(
      "its rules decide no request to Firestore, so what they allow is not reported")
  }
}
