/// How much is tried for questions that stay open: the less, the more of those before were so in vain.
final class Patience {
  /// Whether questions may learn from those before them what is tried in vain.
  private let isShared: Bool
  /// How many questions in a row stayed open whatever was tried.
  private var futile = 0

  /// Has all of it.
  init(isShared: Bool) { self.isShared = isShared }

  /// So many requests near models that were not confirmed are tried.
  var probes: Int {
    let attempts = isShared ? Probing.usualAttempts : Probing.greatestAttempts
    return max(attempts >> futile, Probing.leastAttempts)
  }

  /// Whether what stays open is asked once more in another way.
  var asksAgain: Bool { futile < 3 }

  /// Notes what came of a question for which all was tried.
  func note(isOpen: Bool) {
    if isShared { futile = isOpen ? min(futile + 1, 8) : 0 }
  }
}
