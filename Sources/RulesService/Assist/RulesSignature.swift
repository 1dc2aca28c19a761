import RulesLang

extension RulesAnalysis {
  /// Returns the signatures of the call around an offset; nil if there is none.
  package func signature(at offset: Int) -> SignatureHelp? {
    let end = tokens.count(before: offset)
    guard let (open, argument) = openParenthesis(before: end), open > 0 else { return nil }
    let callee = open - 1
    guard tokens.isWord(callee), tokens.tokens[callee].kind != .if else { return nil }
    let isMember = callee > 0 && tokens.tokens[callee - 1].kind == .dot
    let name = Text(tokens.text(callee))
    guard isMember else { return signature(of: name, at: offset, argument: argument) }
    if callee > 1, tokens.tokens[callee - 2].kind == .identifier,
      let builtin = Builtins.function(namespace: Text(tokens.text(callee - 2)), name: name)
    {
      return SignatureHelp([Builtins.entry(builtin)], argument: argument)
    }
    let entries = Builtins.methods(named: name)
    return entries.isEmpty ? nil : SignatureHelp(entries, argument: argument)
  }

  /// Returns the parenthesis that is open before a token, and the number of commas directly inside it.
  private func openParenthesis(before end: Int) -> (index: Int, commas: Int)? {
    var depth = 0
    var commas = 0
    var index = end
    while index > 0 {
      index -= 1
      switch tokens.tokens[index].kind {
      case .rightParen, .rightBracket, .rightBrace: depth += 1
      case .leftParen, .leftBracket, .leftBrace:
        if depth > 0 {
          depth -= 1
        } else if tokens.tokens[index].kind == .leftParen, index > 0, tokens.isWord(index - 1) {
          return (index, commas)
        } else {
          commas = 0
        }
      case .comma: if depth == 0 { commas += 1 }
      case .semicolon, .allow, .match, .function, .return, .let:
        if depth == 0 { return nil }
      default: break
      }
    }
    return nil
  }

  private func signature(of name: Text, at offset: Int, argument: Int) -> SignatureHelp? {
    if let id = names.function(name, in: Enclosing(offset, in: rules).owner) {
      let function = rules[id]
      var label = String(function.name.text) + "("
      var parameters: [Range<Int>] = []
      for (place, parameter) in function.parameters.enumerated() {
        if place > 0 { label += ", " }
        let start = label.utf8.count
        label += String(parameter.text)
        parameters.append(start..<label.utf8.count)
      }
      let about = rules.commentLines(above: function.range).joined(separator: "\n")
      return SignatureHelp(
        signatures: [
          SignatureHelp.Signature(label: label + ")", parameters: parameters, about: about)
        ], argument: argument)
    }
    guard let builtin = Builtins.function(namespace: nil, name: name) else { return nil }
    return SignatureHelp([Builtins.entry(builtin)], argument: argument)
  }
}

extension SignatureHelp {
  /// Creates the signature help of built-ins.
  fileprivate init(_ entries: [Builtin.Entry], argument: Int) {
    self.init(signatures: entries.flatMap { $0.ways }, argument: argument)
  }
}

extension Builtin.Entry {
  /// The signatures, one for each list of parameters.
  fileprivate var ways: [SignatureHelp.Signature] {
    overloads.map { overload in
      var label = (receiver.map { $0.word + "." } ?? "") + fullName + "("
      var parameters: [Range<Int>] = []
      for (place, parameter) in overload.enumerated() {
        if place > 0 { label += ", " }
        let start = label.utf8.count
        label += parameter.word
        parameters.append(start..<label.utf8.count)
      }
      return SignatureHelp.Signature(
        label: label + "): \(result.words)", parameters: parameters, about: about)
    }
  }
}
