import RulesEval
import RulesHost
import RulesLang

/// Why a request is answered by an error, with the codes of JSON-RPC 2.0 and of the protocol.
struct CallError: Error {
  /// The code.
  var code: Int
  /// What is wrong, in one line.
  var message: String

  /// The text is no JSON.
  static func parse(_ message: String) -> CallError { CallError(code: -32700, message: message) }
  /// The JSON is no message.
  static func invalid(_ message: String) -> CallError { CallError(code: -32600, message: message) }
  /// There is no such method.
  static func unknown(_ method: String) -> CallError {
    CallError(code: -32601, message: "there is no method `\(method)`")
  }
  /// The parameters are not what the method takes.
  static func parameters(_ message: String) -> CallError {
    CallError(code: -32602, message: message)
  }
  /// The first request is not `initialize`.
  static let notInitialized = CallError(code: -32002, message: "`initialize` comes first")
  /// The client has taken the request back.
  static let cancelled = CallError(code: -32800, message: "cancelled")
  /// The request is right and cannot be met.
  static func failed(_ message: String) -> CallError { CallError(code: -32803, message: message) }
}

/// A message of JSON-RPC 2.0.
enum RemoteCall {
  /// Something that is to be answered.
  case request(id: JSON, method: String, parameters: JSON)
  /// Something to be known.
  case notification(method: String, parameters: JSON)
  /// The answer to a request of ours.
  case response(id: Int?, result: JSON?)
  /// Nothing of this; the ID is that of a request, if there is one.
  case wrong(id: JSON?, CallError)

  /// Reads a message.
  init(_ bytes: [UInt8]) {
    let json: JSON
    do throws(JSONProblem) {
      json = try JSONParser.parse(SourceText(name: "", bytes: bytes))
    } catch {
      self = .wrong(id: nil, .parse(error.message))
      return
    }
    guard case .object = json.kind else {
      self = .wrong(id: nil, .invalid("a message is an object, this is \(json.kindName)"))
      return
    }
    let id = json.member("id").flatMap { Self.isID($0) ? $0 : nil }
    guard let method = json.member("method") else {
      if json.member("result") != nil || json.member("error") != nil {
        self = .response(id: id?.plainInt, result: json.member("result"))
      } else {
        self = .wrong(id: id, .invalid("a message has a \"method\""))
      }
      return
    }
    guard let name = method.plainText else {
      self = .wrong(id: id, .invalid("\"method\" is a string, this is \(method.kindName)"))
      return
    }
    guard json.member("jsonrpc")?.plainText == "2.0" else {
      self = .wrong(id: id, .invalid("\"jsonrpc\" is \"2.0\""))
      return
    }
    let parameters = json.member("params") ?? JSON(.object([]))
    if let id {
      self = .request(id: id, method: name, parameters: parameters)
    } else if json.member("id") != nil {
      self = .wrong(id: nil, .invalid("\"id\" is a number or a string"))
    } else {
      self = .notification(method: name, parameters: parameters)
    }
  }

  private static func isID(_ json: JSON) -> Bool {
    switch json.kind {
    case .number, .string: true
    case .null, .bool, .array, .object: false
    }
  }

  /// An answer.
  static func answer(_ id: JSON, _ result: JSONText) -> JSONText {
    .object([("jsonrpc", .string("2.0")), ("id", JSONText(id)), ("result", result)])
  }

  /// An answer that says what is wrong.
  static func answer(_ id: JSON?, _ error: CallError) -> JSONText {
    .object([
      ("jsonrpc", .string("2.0")), ("id", id.map { JSONText($0) } ?? .null),
      (
        "error", .object([("code", .int(error.code)), ("message", .string(error.message))])
      ),
    ])
  }

  /// Something for the client to know.
  static func notification(_ method: String, _ parameters: JSONText) -> JSONText {
    .object([
      ("jsonrpc", .string("2.0")), ("method", .string(method)), ("params", parameters),
    ])
  }

  /// Something that the client is to answer.
  static func request(_ id: Int, _ method: String, _ parameters: JSONText) -> JSONText {
    .object([
      ("jsonrpc", .string("2.0")), ("id", .int(id)), ("method", .string(method)),
      ("params", parameters),
    ])
  }
}

extension JSON {
  /// What tells the ID of a request from all others.
  var identity: String { JSONText(self).compact }
}
