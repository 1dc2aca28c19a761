import RulesLang

/// An abstract request: a kind of client and a method, and nothing else.
struct AbstractRequest: Hashable, Sendable {
  /// The kind of client.
  enum Client: CaseIterable, Sendable {
    case signedOut, signedIn
  }

  /// The method.
  var method: Method
  /// The client.
  var client: Client
  /// True to assume that `resource` and `request.resource` exist for any method: not so in truth, but it
  /// shows whether their absence decides.
  var pretendsResources = false

  /// Every kind of request.
  static let all: [AbstractRequest] = Method.allCases.flatMap { method in
    Client.allCases.map { AbstractRequest(method: method, client: $0) }
  }

  /// The variable `resource` (Docs/Language.md §9).
  var resource: Prospect {
    if pretendsResources { return Prospect(.other, shape: .stored) }
    switch method {
    case .create: return Prospect(.null)
    case .list, .update: return Prospect(.other, shape: .stored)
    case .get, .delete: return Prospect([.other, .null], shape: .stored)
    }
  }

  /// The member `request.resource`.
  private var requestResource: Prospect {
    if pretendsResources { return Prospect(.other, shape: .written) }
    switch method {
    case .get, .list: return .error
    case .create, .update: return Prospect(.other, shape: .written)
    case .delete: return Prospect(.null)
    }
  }

  /// Returns a member of an abstract value.
  func member(_ name: Text, of shape: Prospect.Shape) -> Prospect {
    switch shape {
    case .request: requestMember(name)
    case .auth:
      switch name {
      case "uid": Prospect(.other)
      case "token": Prospect(.other, shape: .token)
      default: .error
      }
    case .stored, .written:
      ["data", "id", "__name__"].contains(name) ? Prospect([.other, .error]) : .error
    case .unknown, .token, .method, .string, .strings: .open
    }
  }

  private func requestMember(_ name: Text) -> Prospect {
    guard let member = Record.request.member(name) else { return .error }
    switch member.name {
    case "auth": return client == .signedOut ? Prospect(.null) : Prospect(.other, shape: .auth)
    case "resource": return requestResource
    case "method": return Prospect(.other, shape: .method)
    case "time", "path": return Prospect([.other, .error])
    default: return .open
    }
  }
}
