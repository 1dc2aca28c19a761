import Testing

@testable import RulesLang
@testable import RulesStyle
@testable import RulesTesting

/// The style, rule by rule: a text, and how it is laid out. What is laid out is left as it is.
@Suite struct FormatStyleTests {
  /// A rule of the style with an example.
  struct Rule: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var expected: String

    init(_ name: String, _ text: String, _ expected: String) {
      (testDescription, self.text, self.expected) = (name, text, expected)
    }
  }

  static let blocks = [
    Rule(
      "two blanks a level, one statement a line",
      "rules_version='2';service cloud.firestore{match /a/{b}{allow read;allow write:if c;}}",
      """
      rules_version = '2';
      service cloud.firestore {
        match /a/{b} {
          allow read;
          allow write: if c;
        }
      }

      """),
    Rule(
      "functions are blocks", "function f(a,b){let c=a;return c==b;}",
      "function f(a, b) {\n  let c = a;\n  return c == b;\n}\n"),
    Rule(
      "statements without semicolons", "match /a/{b} { allow read allow write: if c }",
      "match /a/{b} {\n  allow read\n  allow write: if c\n}\n"),
    Rule(
      "one blank line stays, none where a block begins or ends",
      "\n\nmatch /a/{b} {\n\n  allow read;\n\n\n\n  allow write;\n\n}\n\n\n",
      "match /a/{b} {\n  allow read;\n\n  allow write;\n}\n"),
    Rule(
      "braces stand on the line", "match /a/{b}\n{\n}\nfunction f()\n{ return 1; }",
      "match /a/{b} {}\nfunction f() {\n  return 1;\n}\n"),
    Rule("a file ends in a line feed", "allow read;", "allow read;\n"),
    Rule("nothing stays nothing", "", ""),
    Rule("blanks alone are nothing", " \n\t\n", ""),
    Rule("a lone semicolon stays where it is", "match /a/{b} { };", "match /a/{b} {};\n"),
  ]

  static let spaces = [
    Rule(
      "operators", "return a&&b||c==d!=e<f<=g>h>=i+j-k*l%m in n is o;",
      "return a && b || c == d != e < f <= g > h >= i + j - k * l % m in n is o;\n"),
    Rule("signs that stand before", "return ! a && - 1 - -2;", "return !a && -1 - -2;\n"),
    Rule("two minus signs stay two", "return - - 1;", "return - -1;\n"),
    Rule("brackets", "return f( a ,b )[ 0 ].c [ 1:2 ];", "return f(a, b)[0].c[1:2];\n"),
    Rule(
      "lists and maps", "return [ 1,2 , ] == { 'a' :1,b: 2 };",
      "return [1, 2,] == {'a': 1, b: 2};\n"),
    Rule("ternaries", "return a?b:c?{'d':e}:f[g:h];", "return a ? b : c ? {'d': e} : f[g:h];\n"),
    Rule(
      "paths", "match  /a / { b = ** } { allow get:if exists( /c/$( d )/e/{f} ); }",
      "match /a/{b=**} {\n  allow get: if exists(/c/$(d)/e/{f});\n}\n"),
    Rule(
      "a slash between operands", "return a / b / (c) + 6 / 2;", "return a / b / (c) + 6 / 2;\n"),
    Rule("operations", "allow read ,write :if true ;", "allow read, write: if true;\n"),
    Rule("words after dots", "return a . match . in ( b ) ;", "return a.match.in(b);\n"),
    Rule("numbers keep their tokens", "return 1 .a + 1 .5;", "return 1 .a + 1 .5;\n"),
    Rule("a path keeps its end", "return /a .b == /c :d;", "return /a .b == /c : d;\n"),
    Rule("b keeps away from a string", "return b 'x' + b'y';", "return b 'x' + b'y';\n"),
  ]

  static let comments = [
    Rule(
      "comments stay where they are",
      """
      // top
      service cloud.firestore {// beside
      // own
          match /a/{b} {   /* inline */
            allow read ; // end
                // before the brace
          } // after
      }
      // last
      """,
      """
      // top
      service cloud.firestore { // beside
        // own
        match /a/{b} { /* inline */
          allow read; // end
          // before the brace
        } // after
      }
      // last

      """),
    Rule(
      "in a condition",
      "allow read: if a // first\n // own\n && b // second\n && /* c */ c;",
      """
      allow read: if a // first
        // own
        && b // second
        && /* c */ c;

      """),
    Rule(
      "an operator with a comment behind it stays at the end of its line",
      "allow read: if a && // first\n b && // second\n // own\n c;",
      """
      allow read: if a && // first
        b && // second
        // own
        c;

      """),
    Rule(
      "in lists", "return ['a', // first\n 'b' // second\n // own\n, /* c */ 'c'\n// end\n];",
      """
      return [
        'a', // first
        'b' // second
        // own
        ,
        /* c */ 'c'
        // end
      ];

      """),
    Rule(
      "before a semicolon and before a brace", "match /a/{b} // head\n{ allow read // tail\n; }",
      "match /a/{b} // head\n{\n  allow read // tail\n    ;\n}\n"),
    Rule(
      "of several lines",
      "match /a/{b} {\n      /* one\n         * two\n    * three */\n/* four\n      five   \n*/\nallow get;}",
      """
      match /a/{b} {
        /* one
         * two
         * three */
        /* four
            five
      */
        allow get;
      }

      """),
    Rule(
      "after a statement without a semicolon they belong to the next one",
      "match /a/{b} { allow read // end\n // about write\n allow write }",
      "match /a/{b} {\n  allow read // end\n  // about write\n  allow write\n}\n"),
  ]

  static let excluded = [
    Rule(
      "fmt off and on",
      "match /a/{b} {\n// rules-check: fmt off\n    allow   read ;\n   }   \n"
        + " match /c/{d} { allow get;\n// rules-check: fmt on\nallow   list;}",
      "match /a/{b} {\n  // rules-check: fmt off\n    allow   read ;\n   }   \n"
        + " match /c/{d} { allow get;\n// rules-check: fmt on\n  allow list;\n}\n"
    ),
    Rule(
      "fmt off to the end", "allow  read;\n // rules-check: fmt off it is a table\n  a  &&b",
      "allow read;\n// rules-check: fmt off it is a table\n  a  &&b"),
    Rule(
      "fmt off inside a condition",
      "allow read: if a&&b\n// rules-check: fmt off\n  &&c   &&d\n// rules-check: fmt on\n&&e;",
      "allow read: if a\n  && b\n  // rules-check: fmt off\n  &&c   &&d\n// rules-check: fmt on\n  && e;\n"
    ),
    Rule(
      "the line below an ignore comment stays one line",
      "// rules-check: ignore open-write known\nmatch /a/{b} { allow write:  if true; }\nmatch /c/{d} {}",
      "// rules-check: ignore open-write known\nmatch /a/{b} { allow write:  if true; }\nmatch /c/{d} {}\n"
    ),
    Rule(
      "and is laid out where it stays one line",
      "// rules-check: ignore open-write known\nallow   write:if true;",
      "// rules-check: ignore open-write known\nallow write: if true;\n"),
    Rule(
      "and is not joined with the next one",
      "// rules-check: ignore open-write known\nallow write:\n  if true;",
      "// rules-check: ignore open-write known\nallow write:\n  if true;\n"),
  ]

  static let unusual = [
    Rule(
      "lines end as the first one does", "allow  read;\r\nallow get; // a \nallow list;\r\n",
      "allow read;\r\nallow get; // a\r\nallow list;\r\n"),
    Rule("line feeds stay line feeds", "allow  read;\nallow get;\r\n", "allow read;\nallow get;\n"),
    Rule("a byte order mark stays", "\u{FEFF}allow  read;", "\u{FEFF}allow read;\n"),
    Rule(
      "unknown characters stay with what is around them", "allow  read:if a  # b  &  c;",
      "allow read: if a  # b  &  c;\n"),
    Rule(
      "a string that is not closed ends its line", "allow  read:if 'a ;\nallow  get;",
      "allow read: if 'a ;\nallow get;\n"),
    Rule("braces that are missing", "match /a/{b}{allow read;", "match /a/{b} {\n  allow read;\n"),
    Rule("braces that are too many", "}}allow read;}", "}\n}\nallow read;\n}\n"),
    Rule(
      "brackets that do not match", "allow read:if (a]&&[b);allow get;",
      "allow read: if (a] && [b);\nallow get;\n"),
    Rule("no comment after service", "service /* a */ b { }", "service /* a */ b {}\n"),
  ]

  @Test(arguments: blocks + spaces + comments + excluded + unusual)
  func aTextIsLaidOut(_ rule: Rule) throws {
    let once = try #require(laidOut(rule.text))
    #expect(once == rule.expected)
    #expect(laidOut(once) == once)
  }

  @Test func whatIsNoUTF8IsLeftAlone() {
    let bytes: [UInt8] = Array("allow  read; // ".utf8) + [0xFF, 0x0A]
    guard case .notUTF8(at: 16) = RulesFormatter.format(SourceText(name: "t", bytes: bytes)) else {
      Issue.record("it is laid out")
      return
    }
  }
}
