import FirestoreServer
import FirestoreStore
import RulesEval
import RulesLang
import RulesReport

/// A decided request as a line: verdict, client, operation, and the deciding statement.
struct DecidedCallText {
  private let palette: Palette

  /// Creates lines in the colours of a palette.
  init(_ palette: Palette) { self.palette = palette }

  /// Returns the line, with its end.
  func text(of call: DecidedCall) -> String {
    let (method, path) = call.what
    let place = call.place.map { "  \(Printable.text($0.file)):\($0.line)" } ?? ""
    return "\(verdict(call))  \(Printable.text(call.who)) \(method) \(Printable.text(path))"
      + "\(call.id.database.suffix)\(place)\n"
  }

  private func verdict(_ call: DecidedCall) -> String {
    switch call.outcome {
    case .admin: "OWNER"
    case .open: "OPEN "
    case .allowed: palette.paint("ALLOW", as: .good)
    case .denied: palette.paint("DENY ", as: .error)
    case .refused: palette.paint("ERROR", as: .error)
    }
  }
}
