extension LivePage {
  /// The page's style, without colours and coloured source, which are those of the coverage page.
  static let sheet = """
    :root { --good: #116329; --good-tint: #dafbe1; --bad: #a40e26; --bad-tint: #ffebe9;
      --open: #6b4a00; --open-tint: #fff5d6;
      --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    @media (prefers-color-scheme: dark) { :root { --good: #56d364; --good-tint: #12361f;
      --bad: #ff9492; --bad-tint: #4b1113; --open: #e3b341; --open-tint: #3b2a06; } }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html, body { height: 100%; }
    body { margin: 0; display: flex; flex-direction: column; background: var(--paper);
      color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
    header { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center;
      padding: .6rem 1rem 0; border-bottom: 1px solid var(--rule); }
    h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
    h1 span { font-weight: 400; color: var(--soft); }
    h2 { font: 600 1rem/1.4 var(--mono); margin: .8rem 0 .2rem; overflow-wrap: anywhere; }
    h3 { font-size: .95rem; margin: 1rem 0 .3rem; }
    #state { margin: 0 auto 0 0; font-size: .85rem; color: var(--soft); }
    #state::before { content: ""; display: inline-block; width: .6rem; height: .6rem;
      margin-right: .4rem; border-radius: 50%; background: var(--open); }
    #state.on::before { background: var(--good); }
    #state.off::before { background: var(--bad); }
    [role=tablist] { display: flex; gap: .2rem; }
    button, select, input { font: inherit; color: inherit; background: var(--panel);
      border: 1px solid var(--rule); border-radius: 5px; padding: .2rem .6rem; min-height: 2rem; }
    button, select { cursor: pointer; }
    button:hover { border-color: var(--focus); }
    :focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
    [role=tab] { border-radius: 5px 5px 0 0; border-bottom: 0; background: none; }
    [role=tab][aria-selected=true] { background: var(--panel); font-weight: 600;
      box-shadow: inset 0 3px var(--focus); }
    section { flex: 1; min-height: 0; display: flex; flex-direction: column; }
    #filters { display: flex; flex-wrap: wrap; gap: .5rem .9rem; align-items: center;
      padding: .6rem 1rem; font-size: .9rem; }
    #filters label { display: flex; gap: .4rem; align-items: center; }
    #filters input { width: 12rem; min-width: 0; }
    #count { color: var(--soft); margin-left: auto; }
    .columns { flex: 1; min-height: 0; display: grid;
      grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr); border-top: 1px solid var(--rule); }
    .list { overflow-y: auto; min-width: 0; }
    #empty { margin: 1rem; color: var(--soft); overflow-wrap: anywhere; }
    #rows { list-style: none; margin: 0; padding: 0; }
    #rows button { display: grid; width: 100%; text-align: left; gap: 0 .6rem; border: 0;
      grid-template-columns: 4.2rem minmax(0, 1fr) auto; align-items: baseline; border-radius: 0;
      border-bottom: 1px solid var(--rule); background: none; padding: .35rem 1rem; }
    #rows button:hover { background: var(--panel); }
    #rows button:focus-visible { outline-offset: -2px; }
    #rows button[aria-current=true] { background: var(--panel);
      box-shadow: inset 4px 0 0 var(--focus); }
    .badge { justify-self: start; padding: 0 .4rem; border-radius: 4px; font-weight: 700;
      font-size: .8rem; color: var(--soft); background: var(--panel); }
    .badge.allow { color: var(--good); background: var(--good-tint); }
    .badge.deny, .badge.error { color: var(--bad); background: var(--bad-tint); }
    .badge.open { color: var(--open); background: var(--open-tint); }
    .asked { overflow-wrap: anywhere; }
    .asked .who { font-weight: 600; }
    .asked .path { font-family: var(--mono); font-size: .86rem; }
    .when { color: var(--soft); font-size: .82rem; white-space: nowrap; }
    .place { grid-column: 2 / -1; color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; }
    aside { overflow-y: auto; min-width: 0; padding: .8rem 1rem 2rem;
      border-left: 1px solid var(--rule); }
    aside p { margin: .3rem 0; overflow-wrap: anywhere; }
    aside ul { margin: .2rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
    aside .verdict { display: inline-block; margin: 0; padding: .1rem .6rem; border-radius: 6px;
      font-size: 1.25rem; }
    .soft { color: var(--soft); font-size: .88rem; }
    pre, code { font-family: var(--mono); font-size: .84rem; }
    .source code { font: inherit; }
    aside pre { overflow: auto; max-height: 28rem; margin: .2rem 0; padding: .5rem;
      line-height: 1.25; background: var(--panel); border: 1px solid var(--rule);
      border-radius: 6px; }
    aside pre.test { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.4; }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
    button.link { border: 0; background: none; padding: 0; min-height: 0; color: var(--focus);
      text-decoration: underline; }
    a { color: var(--focus); }
    .back { display: none; }
    #coverage { overflow-y: auto; padding: .6rem 1rem 2rem; }
    .controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 0; }
    .controls select { max-width: 70vw; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem;
      margin: .6rem 0 .2rem; padding: 0; font-size: .85rem; color: var(--soft); }
    .legend .p { color: var(--ink); padding: .05rem .35rem; }
    .numbers { margin: 0 0 .6rem; font-size: .85rem; color: var(--soft); display: flex;
      flex-wrap: wrap; gap: .2rem 1.2rem; align-items: center; }
    .numbers strong { color: var(--ink); }
    meter { width: 6rem; height: .8rem; vertical-align: -1px; }
    #painted section { display: block; }
    #painted .n { cursor: pointer; text-decoration: underline dotted; }
    #painted .here { outline: 2px solid var(--focus); }
    @media (max-width: 800px) {
      .columns { grid-template-columns: minmax(0, 1fr); }
      aside { display: none; border-left: 0; }
      body.opened .list { display: none; }
      body.opened aside { display: block; }
      .back { display: block; margin-bottom: .6rem; }
      #filters { gap: .4rem .6rem; }
      #filters label { flex: 1 1 9rem; }
      #filters input, #filters select { flex: 1; width: 4rem; }
    }

    """
}
