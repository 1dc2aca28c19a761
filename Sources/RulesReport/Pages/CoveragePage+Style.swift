extension CoveragePage {
  /// The page's style sheet.
  static let style = [colours, frame, sourceStyle, panel].joined(separator: "\n")

  /// The colours. They are opaque, so that the innermost of nested places shows.
  package static let colours = """
    :root { color-scheme: light dark; --paper: #ffffff; --panel: #f5f6f8; --ink: #1d2128;
      --soft: #5f6875; --rule: #d9dde3; --both: #d3efd9; --yes: #fdeab0; --no: #fbd9b5;
      --err: #e6d6f7; --never: #f9cfd0; --never-ink: #8c1420; --yes-edge: #d6a700;
      --no-edge: #d9731a; --err-edge: #8a4fd1; --focus: #1c5fd4; }
    @media (prefers-color-scheme: dark) { :root:not([data-theme]) {
      --paper: #14171c; --panel: #1c2027; --ink: #dfe4ec; --soft: #96a0ae; --rule: #323843;
      --both: #17402a; --yes: #4b3f0e; --no: #55330f; --err: #3e2a5c; --never: #5b1b22;
      --never-ink: #ffc2c4; --yes-edge: #c9a227;
      --no-edge: #e08a3c; --err-edge: #a678e8; --focus: #78aaff; } }
    :root[data-theme=dark] { color-scheme: dark;
      --paper: #14171c; --panel: #1c2027; --ink: #dfe4ec; --soft: #96a0ae; --rule: #323843;
      --both: #17402a; --yes: #4b3f0e; --no: #55330f; --err: #3e2a5c; --never: #5b1b22;
      --never-ink: #ffc2c4; --yes-edge: #c9a227;
      --no-edge: #e08a3c; --err-edge: #a678e8; --focus: #78aaff; }
    :root[data-theme=light] { color-scheme: light; }
    """

  private static let frame = """
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 15px/1.45 system-ui, sans-serif; }
    header { padding: 1rem 1.5rem .6rem; border-bottom: 1px solid var(--rule); }
    h1 { font-size: 1.15rem; margin: 0; }
    h2 { font: 600 1rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; margin: 1.2rem 0 .2rem;
      overflow-wrap: anywhere; }
    .total { margin: .2rem 0 .6rem; color: var(--soft); }
    .total strong { font-size: 1.7rem; color: var(--ink); margin-right: .4rem; }
    .run { margin: 0 0 .6rem; font-size: .85rem; color: var(--soft); }
    .low { color: var(--never-ink); background: var(--never); padding: 0 .3rem;
      border-radius: 3px; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0;
      padding: 0; font-size: .85rem; color: var(--soft); }
    .legend .p { color: var(--ink); padding: .05rem .35rem; }
    .controls { margin: .6rem 0 0; display: flex; flex-wrap: wrap; gap: .4rem .6rem;
      align-items: center; font-size: .85rem; color: var(--soft); }
    button { font: inherit; color: var(--ink); background: var(--panel);
      border: 1px solid var(--rule); border-radius: 5px; padding: .15rem .6rem; cursor: pointer; }
    button:hover { border-color: var(--focus); }
    kbd { font: .8rem ui-monospace, "DejaVu Sans Mono", monospace; border: 1px solid var(--rule);
      border-radius: 3px; padding: 0 .3rem; background: var(--paper); color: var(--ink); }
    .columns { display: grid; grid-template-columns: minmax(0, 1fr) 24rem; }
    main { padding: 0 1.5rem 3rem; min-width: 0; }
    .numbers { margin: 0 0 .6rem; font-size: .85rem; color: var(--soft); display: flex;
      flex-wrap: wrap; gap: .2rem 1.2rem; align-items: center; }
    .numbers strong { color: var(--ink); }
    meter { width: 6rem; height: .8rem; vertical-align: -1px; }
    """

  /// The style of the coloured source.
  package static let sourceStyle = """
    .source { border: 1px solid var(--rule); border-radius: 6px;
      padding: .4rem 0; font: 13px/1.6 ui-monospace, "DejaVu Sans Mono", monospace; }
    .l { display: flex; }
    .l:hover { background: var(--panel); }
    .n { flex: none; width: 3.5rem; padding-right: .9rem; text-align: right; color: var(--soft);
      user-select: none; }
    .gaps .n { color: var(--ink); font-weight: 600; box-shadow: inset 4px 0 0 var(--no-edge); }
    code { font: inherit; flex: 1; min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere;
      padding: 0 1rem 0 calc(var(--i) * 1ch); text-indent: calc(var(--i) * -1ch); }
    .p { border-radius: 2px; cursor: default; box-decoration-break: clone;
      -webkit-box-decoration-break: clone; }
    .p.tried { background: none; }
    .p.both { background: var(--both); }
    .p.yes { background: var(--yes); box-shadow: inset 0 -2px 0 var(--yes-edge); }
    .p.no { background: var(--no); box-shadow: inset 0 -2px 0 var(--no-edge); }
    .p.err { background: var(--err); box-shadow: inset 0 -2px 0 var(--err-edge); }
    .p.never { background: var(--never); color: var(--never-ink); }
    .p.on { outline: 2px solid var(--focus); outline-offset: 0; }
    .p:focus { outline: 2px solid var(--focus); }
    """

  private static let panel = """
    aside { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem 1.2rem;
      border-left: 1px solid var(--rule); background: var(--panel); font-size: .9rem; }
    aside h3 { font: 600 .85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace;
      margin: 0 0 .4rem; overflow-wrap: anywhere; }
    aside p { margin: 0 0 .5rem; color: var(--soft); }
    aside ul { list-style: none; margin: 0 0 .8rem; padding: 0; }
    aside li { border-top: 1px solid var(--rule); }
    aside li button { display: block; width: 100%; text-align: left; border: 0; background: none;
      padding: .35rem .2rem; overflow-wrap: anywhere; }
    aside li button:hover { background: var(--paper); }
    aside li code { font: .85em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; padding: 0; text-indent: 0; }
    aside li .gap { margin: 0 0 0 .4rem; padding: 0 .3rem; font-size: .85em; }
    aside h4 { font: 600 .85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; margin: .6rem 0 .2rem;
      overflow-wrap: anywhere; }
    aside .gap { color: var(--ink); padding: .05rem .4rem; border-radius: 3px;
      display: inline-block; margin: 0 .3rem .4rem 0; }
    aside dl { margin: 0; }
    aside dt { margin-top: .5rem; font: .85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace;
      overflow-wrap: anywhere; }
    aside dt .p { padding: .05rem .35rem; }
    aside dd { margin: .1rem 0 0 1rem; color: var(--soft); font-size: .85rem; }
    aside details { margin: .1rem 0 0 1rem; color: var(--soft); font-size: .85rem; }
    aside details dd { margin-left: 0; }
    aside summary { cursor: pointer; }
    @media (max-width: 60rem) { .columns { display: block; }
      aside { position: fixed; top: auto; bottom: 0; left: 0; right: 0; height: auto;
        max-height: 38vh; border-left: 0; border-top: 1px solid var(--rule); }
      main { padding: 0 .8rem 40vh; } header { padding: .8rem; } }
    @media (max-width: 40rem) { .n { width: 2.3rem; padding-right: .5rem; } .source { font-size: 12px; }
      .source code { padding-right: .4rem; padding-left: 6ch; text-indent: -6ch; }
      aside { max-height: 26vh; padding: .5rem .8rem; } main { padding-bottom: 28vh; }
      .hint, .controls kbd { display: none; } aside p { font-size: .85rem; } }
    @media (hover: none) and (pointer: coarse) { .hint, .controls kbd { display: none; } }
    @media print { aside, .controls { display: none; } .columns { display: block; } }
    """
}
