/// What `help CODE` says about a code of the compiler: errors and warnings whose wording is Google's
/// where Google's compiler has one.
public struct CodePage: Sendable {
  /// The code.
  public var code: Code
  /// What it means, a sentence or two.
  public var meaning: String
  /// What to do about it, one sentence.
  public var remedy: String
  /// Rules that have it: statements of a match block, or a whole file. Empty where none fits here.
  public var example: String

  init(_ code: Code, _ meaning: String, _ remedy: String, _ example: String) {
    self.code = code
    self.meaning = meaning
    self.remedy = remedy
    self.example = example
  }

  /// The page of a code.
  public static func named(_ name: String) -> CodePage? { all.first { $0.code.name == name } }

  /// Every page, in the order of `Code.all`.
  public static let all: [CodePage] = syntax + names + types + structure + text

  /// The example as a whole rules file.
  public var file: String { Lint.file(of: example) }

  /// The page, in Markdown.
  public var page: String {
    var text = "# \(code.name)\n\n\(meaning) \(remedy)\n"
    if !example.isEmpty { text += "\n## Example\n\n```\n\(example)\n```\n" }
    return text
  }

  private static let syntax: [CodePage] = [
    CodePage(
      .emptyRules, "The text is empty.", "Begin with `rules_version = '2';` and a service.", ""),
    CodePage(
      .syntax, "The text does not follow the grammar at this place.",
      "Look at the place and just before it: a missing brace or semicolon shows up late.",
      "match /a/{b} { allow read: if true and false; }"),
    CodePage(
      .unknownCharacter, "A character that the language does not have.",
      "Letters beyond ASCII, and signs such as `#` or `&`, may stand only in strings and comments.",
      "match /a/{b} { allow read: if b == 'x'; } #"),
    CodePage(
      .unclosedString, "A string is not closed on the line where it begins.",
      "Close it with the same quote; a backslash in it is written `\\\\`.",
      "match /a/{b} { allow read: if 'open; }\nmatch /c/{d} { allow read; }"),
    CodePage(
      .invalidNumber, "A whole number that does not fit into 64 bits.",
      "Write a float, or a smaller number.",
      "match /a/{b} { allow read: if resource.data.n < 9223372036854775808; }"),
    CodePage(
      .invalidBytes, "A bytes literal has an escape that bytes do not know.",
      "Bytes know `\\xHH` and `\\OOO`, not `\\u`.",
      "match /a/{b} { allow read: if resource.data.n == b'\\u0041'; }"),
    CodePage(
      .incrementOperator, "`++` and `--` do not exist.", "Put a space between two signs.",
      "match /a/{b} { allow read: if resource.data.n++ == 2; }"),
    CodePage(
      .misplacedPath, "A path stands where a statement is expected.",
      "A block begins with the word `match`.", "/a/{b} { allow read; }"),
    CodePage(
      .incompletePath, "A slash is not followed by a segment.",
      "Write a name, `{capture}` or, in expressions, `$(…)` after it, and nothing between two slashes.",
      "match /a/ { allow read; }"),
    CodePage(
      .missingOperation, "`allow` does not say what it allows.",
      "Name operations: `read`, `get`, `list`, `write`, `create`, `update`, `delete`.",
      "match /a/{b} { allow : if true; }"),
    CodePage(
      .missingCondition, "The condition of a statement is incomplete.",
      "Write `allow OPERATION: if CONDITION;`.", "match /a/{b} { allow read if true; }"),
    CodePage(
      .missingBody, "A function lacks its name, its parameters or its body.",
      "Write `function name(a, b) { return … }`.",
      "function f() { }\nmatch /a/{b} { allow read: if f(); }"),
    CodePage(
      .emptyBlock, "A block has nothing in it.", "Put a statement into it, or remove it.",
      "match /a/{b} { }"),
    CodePage(
      .unsupportedVersion, "There are only the versions 1 and 2 of the language.",
      "Begin with `rules_version = '2';`.",
      "rules_version = '3';\nservice cloud.firestore { match /a/{b} { allow read; } }"),
    CodePage(
      .importStatement, "Google's compiler reads `import` and then refuses it.",
      "Put everything into one file.",
      "rules_version = '2';\nimport 'functions.rules';\n"
        + "service cloud.firestore { match /a/{b} { allow read; } }"),
    CodePage(
      .serviceName, "The word after `service` names no service.",
      "Firestore's is `cloud.firestore`.", "service if { match /a/{b} { allow read; } }"),
  ]

  private static let names: [CodePage] = [
    CodePage(
      .duplicateService, "Two services have the same name.", "Put both into one block.",
      "service cloud.firestore { match /a/{b} { allow read; } }\n"
        + "service cloud.firestore { match /c/{d} { allow read; } }"),
    CodePage(
      .duplicateFunction, "Two functions of one block have the same name.",
      "Rename one; the number of parameters makes no difference.",
      "function f() { return true; }\nfunction f(a) { return a; }\nmatch /a/{b} { allow read: if f(); }"
    ),
    CodePage(
      .duplicateVariable, "A parameter or `let` has a name that is taken in this function.",
      "Rename it.", "function f(a, a) { return a; }\nmatch /a/{b} { allow read: if f(1, 2); }"),
    CodePage(
      .duplicateCapture, "Two captures of one path have the same name.", "Rename one.",
      "match /a/{b}/c/{b} { allow read; }"),
    CodePage(
      .namespaceAsVariable,
      "`math`, `timestamp`, `duration`, `latlng` and `hashing` are packages of functions.",
      "Call a function of the package, or rename the variable.",
      "match /a/{b} { allow read: if math == 1; }"),
    CodePage(
      .unknownVariable, "No variable has this name here. Reading it is an error at run time.",
      "There are `request`, `resource`, the captures of the blocks around, parameters and lets.",
      "match /a/{b} { allow read: if reqest.auth != null; }"),
    CodePage(
      .unknownFunction, "No function or method has this name. Calling it is an error at run time.",
      "Look for a slip, or for a function that is declared in another block.",
      "match /a/{b} { allow read: if isOwner(b); }"),
    CodePage(
      .unknownOperation, "No operation has this name; the word grants nothing.",
      "The operations are `read`, `get`, `list`, `write`, `create`, `update`, `delete`.",
      "match /a/{b} { allow raed: if request.auth != null; }"),
    CodePage(
      .unknownService, "No service has this name; nothing inside it takes part in decisions.",
      "Firestore's is `cloud.firestore`.", "service cloud.firestor { match /a/{b} { allow read; } }"
    ),
    CodePage(
      .lookupScope, "A lookup is called in a function that stands outside the service.",
      "Declare the function inside `service cloud.firestore`; it works as it is, though.",
      "rules_version = '2';\nfunction f() { return exists(/databases/d/documents/a/b); }\n"
        + "service cloud.firestore { match /a/{b} { allow read: if f(); } }"),
    CodePage(
      .unusedFunction, "Nothing calls this function.", "Remove it, or call it.",
      "function f() { return true; }\nmatch /a/{b} { allow read; }"),
    CodePage(
      .unusedVariable, "Nothing reads this parameter or `let`.", "Remove it, or read it.",
      "function f(a) { return true; }\nmatch /a/{b} { allow read: if f(b); }"),
  ]

  private static let types: [CodePage] = [
    CodePage(
      .unknownType, "There is no type of this name.",
      "The types are bool, bytes, constraint, duration, float, int, latlng, list, map, map_diff, "
        + "number, path, set, string, timestamp and vector.",
      "match /a/{b} { allow read: if b is text; }"),
    CodePage(
      .typeMismatch, "A value of this type never fits here: evaluating it is an error.",
      "Compare or convert values of fitting types.", "match /a/{b} { allow read: if 'a' * 2 == 4; }"
    ),
    CodePage(
      .conditionType, "A condition that is not a bool never grants.", "Compare the value.",
      "match /a/{b} { allow read: if 'yes'; }"),
    CodePage(
      .contradictoryUse, "A variable is used in ways that no one type fits.",
      "Use another variable, or ask for its type first.",
      "match /a/{b} { allow read: if (b ? 1 : 2) == 1; }"
    ),
    CodePage(
      .constantComparison, "Values of these types are never equal.",
      "Compare values of the same type; int and float count as one.",
      "match /a/{b} { allow read: if 1 == '1'; }"),
    CodePage(
      .differentBranches, "The two results of a choice have different types.",
      "Let both be of the type that is needed.",
      "match /a/{b} { allow read: if (b == 'x' ? 1 : 'one') == 1; }"),
    CodePage(
      .argumentCount, "A function is called with more or fewer arguments than it has parameters.",
      "Pass what it takes.",
      "function f(a) { return a; }\nmatch /a/{b} { allow read: if f(); }"),
    CodePage(
      .invalidPattern, "The text is no regular expression of the RE2 syntax.",
      "There are no look-arounds and no back-references.",
      "match /a/{b} { allow read: if b.matches('('); }"),
  ]

  private static let structure: [CodePage] = [
    CodePage(
      .oldVersion,
      "The rules are of version 1: recursive wildcards match differently, and `let` "
        + "does not exist.", "Begin with `rules_version = '2';` and look at every `{name=**}`.",
      "service cloud.firestore { match /a/{b} { allow read; } }"),
    CodePage(
      .letVersion, "`let` exists only in version 2.", "Begin with `rules_version = '2';`.",
      "service cloud.firestore {\n  function f() { let a = 1; return a == 1; }\n"
        + "  match /a/{b} { allow read: if f(); }\n}"),
    CodePage(
      .misplacedGlob, "A path may have one `{name=**}`; in version 1 only at its end.",
      "Split the block in two.", "match /a/{b=**}/c/{d=**} { allow read; }"),
    CodePage(
      .globChildren, "In version 1 no request reaches a block below a `{name=**}`.",
      "Begin with `rules_version = '2';`.",
      "service cloud.firestore {\n  match /a/{b=**} { match /c/{d} { allow read; } }\n}"),
    CodePage(
      .recursion, "A function calls itself, directly or through others.",
      "Write the steps out; nothing repeats in this language.",
      "function f() { return f(); }\nmatch /a/{b} { allow read: if f(); }"),
    CodePage(
      .limitNesting, "An expression is nested more deeply than 99 levels.",
      "Move parts of it into functions.", ""),
    CodePage(
      .limitMatchDepth, "Match blocks are nested too deeply.",
      "Write longer paths in fewer blocks.", ""),
    CodePage(
      .limitPathLength, "A path has more than 100 segments.", "Shorten it.", ""),
    CodePage(
      .limitCaptures, "A path has more than 20 captures.", "Shorten it.", ""),
    CodePage(
      .limitParameters, "A function has more than 7 parameters.", "Pass a map or a list.",
      "function f(a, b, c, d, e, f, g, h) { return a; }\nmatch /a/{b} { allow read; }"),
    CodePage(
      .limitLets, "A function has too many lets.", "Move some into another function.",
      "function f() {\n  let a = 1; let b = 1; let c = 1; let d = 1; let e = 1; let f = 1;\n"
        + "  let g = 1; let h = 1; let i = 1; let j = 1; let k = 1; let l = 1;\n  return true;\n}\n"
        + "match /a/{b} { allow read: if f(); }"),
    CodePage(
      .limitCallDepth, "Functions call functions more deeply than 20 levels.",
      "Call fewer one inside another.", ""),
    CodePage(
      .limitSource, "Production accepts 256 KB of source.",
      "Remove what is not used, or share conditions in functions.", ""),
  ]

  private static let text: [CodePage] = [
    CodePage(
      .tooManyErrors, "There are so many mistakes that the rest was not looked at.",
      "Mend the first ones.", ""),
    CodePage(
      .byteOrderMark, "The file begins with a byte order mark, which Google refuses.",
      "Store the file as UTF-8 without one.", ""),
    CodePage(
      .invalidUTF8, "The file is not UTF-8.", "Store it as UTF-8.", ""),
  ]
}
