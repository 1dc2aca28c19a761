import RulesEval
import RulesHost
import RulesLang

/// The error with which a request is answered, with the codes of JSON-RPC 2.0; protocols have more.
struct CallError: Error {
  /// The code.
  var code: Int
  /// The message, in one line.
  var message: String

  /// Returns the error that a text is not JSON.
  static func parse(_ message: String) -> CallError { CallError(code: -32700, message: message) }
  /// Returns the error that JSON is not a message.
  static func invalid(_ message: String) -> CallError { CallError(code: -32600, message: message) }
  /// Returns the error that there is no such method.
  static func unknown(_ method: String) -> CallError {
    CallError(code: -32601, message: "there is no method `\(method)`")
  }
  /// Returns the error that the parameters do not fit the method.
  static func parameters(_ message: String) -> CallError {
    CallError(code: -32602, message: message)
  }
}

/// A message of JSON-RPC 2.0.
enum RemoteCall {
  /// A request, which needs an answer.
  case request(id: JSON, method: String, parameters: JSON)
  /// A notification.
  case notification(method: String, parameters: JSON)
  /// The answer to a request of the server.
  case response(id: Int?, result: JSON?)
  /// A malformed message; the ID is that of a request, if there is one.
  case wrong(id: JSON?, CallError)

  /// Parses the text of a message.
  init(_ bytes: [UInt8]) {
    do throws(JSONProblem) {
      self.init(try JSONParser.parse(SourceText(name: "", bytes: bytes)))
    } catch {
      self = .wrong(id: nil, .parse(error.message))
    }
  }

  /// Reads a message.
  init(_ json: JSON) {
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

  /// Returns an answer with a result.
  static func answer(_ id: JSON, _ result: JSONText) -> JSONText {
    .object([("jsonrpc", .string("2.0")), ("id", JSONText(id)), ("result", result)])
  }

  /// Returns an answer with an error.
  static func answer(_ id: JSON?, _ error: CallError) -> JSONText {
    .object([
      ("jsonrpc", .string("2.0")), ("id", id.map { JSONText($0) } ?? .null),
      (
        "error", .object([("code", .int(error.code)), ("message", .string(error.message))])
      ),
    ])
  }

  /// Returns a notification to the client.
  static func notification(_ method: String, _ parameters: JSONText) -> JSONText {
    .object([
      ("jsonrpc", .string("2.0")), ("method", .string(method)), ("params", parameters),
    ])
  }

  /// Returns a request to the client.
  static func request(_ id: Int, _ method: String, _ parameters: JSONText) -> JSONText {
    .object([
      ("jsonrpc", .string("2.0")), ("id", .int(id)), ("method", .string(method)),
      ("params", parameters),
    ])
  }
}

extension JSON {
  /// A text that is different for each request ID.
  var identity: String { JSONText(self).compact }

  /// Returns the value under nested keys.
  func at(_ keys: [Text]) -> JSON? {
    var place: JSON? = self
    for key in keys { place = place?.member(key) }
    return place
  }
}
