/// The style sheet of the audit page: light and dark by the reader's setting, and for paper.
package enum AuditStyle {
  /// The style sheet.
  package static let sheet = """
    :root {
      --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d5dae0; --band: #f5f7f9;
      --anyone: #ffe1de; --anyone-ink: #94101f; --anyone-if: #fff0c2; --anyone-if-ink: #634400;
      --named: #eef1f4; --nobody-ink: #5a636d; --target: #dbe8fd;
      --alarm: #b3261e; --caution: #9a5b00; --note: #3d5a80; --link: #1d4489;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #14171b; --ink: #e4e8ec; --soft: #9ba5b0; --line: #343b44; --band: #1c2126;
        --anyone: #571a1c; --anyone-ink: #ffb9b3; --anyone-if: #453208; --anyone-if-ink: #f5cd72;
        --named: #262c33; --nobody-ink: #97a1ac; --target: #1c3157;
        --alarm: #ff8a80; --caution: #ffc069; --note: #9dbbe6; --link: #9cc0ff;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; max-width: 72rem; padding: 2rem 1.5rem 4rem; background: var(--paper);
      color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
    }
    h1 { font-size: 1.6rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
    h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; overflow-wrap: anywhere; }
    h2 small { font-size: .85rem; font-weight: normal; margin-left: .5rem; }
    code, pre { font: .875em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
    code { overflow-wrap: anywhere; }
    a { color: var(--link); }
    p { margin: .25rem 0; }
    .facts { margin: 0; display: grid; gap: .25rem; }
    .facts div { display: grid; grid-template-columns: 9rem 1fr; }
    .facts dt, .clients dt { color: var(--soft); }
    .facts dd, .clients dd { margin: 0; overflow-wrap: anywhere; }
    .lead { margin: 1.5rem 0 .5rem; }
    .writers { padding-left: 1.2rem; margin: 1.5rem 0 0; font-size: 1.1rem; }
    .summary { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 0 0 .5rem; }
    .summary li { padding: .35rem .8rem; border-radius: .4rem; }
    .summary b { font-size: 1.15rem; }
    .findings { list-style: none; padding: 0; margin: 0; }
    .findings li { display: flex; align-items: baseline; gap: .75rem; padding: .6rem 0;
      border-top: 1px solid var(--line); }
    .findings div { min-width: 0; overflow-wrap: anywhere; }
    .findings li:last-child { border-bottom: 1px solid var(--line); }
    .tag { flex: 0 0 4.5rem; font-weight: 600; }
    .alarm .tag { color: var(--alarm); }
    .caution .tag { color: var(--caution); }
    .note .tag { color: var(--note); }
    .findings + p { margin-top: 1rem; }
    .example { color: var(--soft); font-size: .9rem; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; font-size: .925rem; }
    th, td { border: 1px solid var(--line); padding: .4rem .7rem; text-align: left; vertical-align: top; }
    thead th { background: var(--band); }
    .wide th:first-child { position: sticky; left: 0; box-shadow: inset -1px 0 var(--line); }
    .wide tbody th { background: var(--paper); }
    .matrix tbody th { font-weight: normal; }
    .matrix small { display: block; color: var(--soft); max-width: 22rem; overflow-wrap: anywhere; }
    .matrix td, .client { white-space: nowrap; }
    .anyone { background: var(--anyone); color: var(--anyone-ink); font-weight: 600; }
    .anyone-if { background: var(--anyone-if); color: var(--anyone-if-ink); }
    .named { background: var(--named); }
    .nobody { color: var(--nobody-ink); }
    .undecided { outline: 1px dashed var(--ink); outline-offset: -3px; }
    .summary .undecided { outline: 0; border: 1px dashed var(--ink); }
    .summary .nobody { border: 1px solid var(--line); }
    td a { color: inherit; }
    .conditions { padding-left: 0; margin: .75rem 0; list-style: none; counter-reset: condition; }
    .conditions li { counter-increment: condition; display: grid; grid-template-columns: 2.2rem 1fr; margin: .3rem 0; }
    .conditions li::before { content: "[" counter(condition) "]"; color: var(--soft); }
    .conditions li:target { background: var(--target); }
    details { margin: .5rem 0; }
    summary { cursor: pointer; }
    .evidence > summary { color: var(--link); }
    .evidence table { width: 100%; margin: .5rem 0 1rem; }
    .evidence table th[scope] { font-weight: normal; }
    .request { margin: 0; }
    .request pre { background: var(--band); padding: .5rem .75rem; margin: .25rem 0; overflow-x: auto; }
    .clients { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: .25rem 1rem; margin: .25rem 0; }
    .source { background: var(--band); border: 1px solid var(--line); padding: .75rem 0; overflow-x: auto; }
    .source span { display: block; padding: 0 1rem; min-height: 1.3em; }
    .source span:target { background: var(--target); }
    .source i { display: inline-block; width: 2.5rem; margin-right: 1rem; text-align: right; color: var(--soft); font-style: normal; user-select: none; }
    @media (max-width: 40rem) {
      body { padding: 1rem .8rem 3rem; }
      .wide tbody th, .matrix small { max-width: 8rem; overflow-wrap: anywhere; }
    }
    @media print {
      body { max-width: none; padding: 0; font-size: 10pt; }
      .anyone, .anyone-if, .named { print-color-adjust: exact; }
      section, .findings li { break-inside: avoid; }
    }

    """
}
