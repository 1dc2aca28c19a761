/// What a page can ask for: the members of a request beside `"do"` are named at each.
package enum PageTask: String, CaseIterable, Sendable {
  /// The findings of `check` about `rules`; with `"deep": true` what `check --deep` says, and the edits
  /// that take out one finding each.
  case check
  /// What `check --deep --fix` makes of `rules`: the report, and the text without what is redundant.
  case fix
  /// The rules in one style: what `fmt` makes of `rules`.
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
  /// The access matrix of `rules`; with `field` who can read and write that field. `"anybody"` lists for
  /// each path the places of the clients that anybody can be.
  case audit
  /// What changed from `old` to `rules`.
  case diff
  /// The page about a finding's `code`, as text.
  case explain
  /// The `lines`, one expression each.
  case eval
}
