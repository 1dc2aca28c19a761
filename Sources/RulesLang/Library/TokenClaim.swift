/// A claim of an ID token, as `request.auth.token` has it.
package struct TokenClaim: Hashable, Sendable {
  /// The party that decides the value of a claim.
  package enum Setter: Hashable, Sendable {
    /// The project's servers, or Firebase: custom claims, IDs and dates.
    case server
    /// Firebase, by the way in which the client signs in: every user may choose another enabled way.
    case signIn
    /// The user, at sign-up or later, from any client.
    case user
  }

  /// The key below `request.auth.token`; below `firebase` also the key there, and below `identities` the
  /// provider.
  package var names: [Text]

  /// The claim with a name, or with one below `firebase`.
  package init(_ names: [Text]) {
    let isOfFirebase = names.first == "firebase"
    let isIdentity = names.prefix(2) == ["firebase", "identities"]
    self.names = Array(names.prefix(isIdentity ? 3 : isOfFirebase ? 2 : 1))
  }

  /// The party that decides the value.
  package var setter: Setter {
    // A provider vouches for its user's identity, but nobody for an e-mail address.
    if names.count == 3, names[2] != "email" { return .signIn }
    guard let row = Self.standard.first(where: { $0.names == Array(names.prefix(2)) }) else {
      return names.first == "firebase" ? .user : .server
    }
    return row.setter
  }

  /// The conditions that vouch for the claim, each of which shows that the user controls its content; none if
  /// nothing does.
  package var vouchers: [String] { Self.standard.first { $0.names == names }?.vouchers ?? [] }

  /// The notation of reports: `token.admin`.
  package var text: String { names.reduce("token") { $0 + "." + String($1) } }

  private struct Row {
    var names: [Text]
    var setter: Setter
    var vouchers: [String] = []
  }

  /// The claims that are not the project's own. Google and Apple give only addresses that they have checked;
  /// Firebase itself checks a telephone number by a message to it.
  private static let standard: [Row] = [
    Row(
      names: ["email"], setter: .user,
      vouchers: [
        "request.auth.token.email_verified == true",
        "request.auth.token.firebase.sign_in_provider in ['google.com', 'apple.com']",
      ]),
    Row(
      names: ["phone_number"], setter: .user,
      // Firebase puts it there only if a message to it was answered.
      vouchers: ["'phone_number' in request.auth.token"]),
    Row(names: ["name"], setter: .user), Row(names: ["picture"], setter: .user),
    Row(names: ["email_verified"], setter: .signIn), Row(names: ["auth_time"], setter: .signIn),
    Row(names: ["iat"], setter: .signIn), Row(names: ["exp"], setter: .signIn),
    Row(names: ["firebase", "sign_in_provider"], setter: .signIn),
    Row(names: ["firebase", "sign_in_second_factor"], setter: .signIn),
    Row(names: ["firebase", "second_factor_identifier"], setter: .signIn),
    Row(names: ["firebase", "tenant"], setter: .server),
    Row(names: ["firebase", "identities"], setter: .user),
    Row(names: ["firebase", "sign_in_attributes"], setter: .user),
  ]
}
