/// A task that a page can request; each has the members of the request, besides `"do"`, that it reads.
package enum PageTask: String, CaseIterable, Sendable {
  /// The findings of `check` about `rules`; with `"deep": true` those of `check --deep`, and the edits that
  /// remove one finding each.
  case check
  /// The result of `check --deep --fix` for `rules`: the report, and the text without redundant parts.
  case fix
  /// The formatted text of `rules`, as by `fmt`.
  case format
  /// The match blocks and functions of `rules`, with their places.
  case outline
  /// The tests of `suite` about `rules`, with the values of all sub-expressions; no claims.
  case test
  /// The first test of `suite` about `rules` as text, as `simulate` prints it; with `columns` as it prints
  /// it in a terminal of that width.
  case picture
  /// The claims of `suite` about `rules`.
  case prove
  /// The access matrix of `rules`; with `field` the clients who can read and write that field, and
  /// `"writers"` in sentences. `"legend"` has each exposure of an answer with its style class and its words.
  case audit
  /// The differences from `old` to `rules`.
  case diff
  /// The documentation of a finding's `code`, as text.
  case explain
  /// The `lines`, one expression each.
  case eval
}
