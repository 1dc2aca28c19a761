// Colours for rules: tokens by one expression, which knows strings, comments and words and nothing else.

const rulesToken = new RegExp([
  /(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))/,
  /(?<string>'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?)/,
  /(?<keyword>\b(?:rules_version|service|match|allow|if|function|let|return)\b)/,
  /(?<method>\b(?:read|write|get|list|create|update|delete)\b(?=[\s,\w]{0,80}:))/,
  /(?<constant>\b(?:true|false|null|\d[\w.]*)\b)/,
  /(?<variable>\b(?:request|resource|database)\b)/,
  /(?<capture>\{\w+(?:=\*\*)?\})/,
  /(?<call>\b[A-Za-z_]\w*(?=\s*\())/,
].map((one) => one.source).join('|'), 'g');

/// The pieces of a text, as `[start, end, kind]`.
function rulesPieces(text) {
  const pieces = [];
  let last = 0;
  for (const match of text.matchAll(rulesToken)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (match.index > last) pieces.push([last, match.index, '']);
    last = match.index + match[0].length;
    pieces.push([match.index, last, kind]);
  }
  if (last < text.length) pieces.push([last, text.length, '']);
  return pieces;
}

/// Puts a text into an element, from one place to another in coloured pieces and otherwise plain: only what is in
/// sight needs colours, and ten thousand pieces take a third of a second. `marks` are `[start, end, class]`, sorted.
function paintRules(element, text, allPieces, allMarks, [first, past]) {
  const pieces = allPieces.filter(([start, end]) => start < past && end > first)
    .map(([start, end, kind]) => [Math.max(start, first), Math.min(end, past), kind]);
  const marks = allMarks.filter(([start, end]) => start < past && end > first);
  const nodes = document.createDocumentFragment();
  nodes.append(text.slice(0, first));
  let next = 0;
  const cuts = marks.flatMap(([start, end]) => [start, end]).sort((a, b) => a - b);
  for (const [start, end, kind] of pieces) {
    let from = start;
    while (from < end) {
      while (next < cuts.length && cuts[next] <= from) next++;
      const to = next < cuts.length ? Math.min(end, cuts[next]) : end;
      const mark = marks.find(([start, end]) => start <= from && from < end);
      const classes = [kind && `t-${kind}`, mark?.[2]].filter(Boolean).join(' ');
      if (classes) {
        const span = document.createElement('span');
        span.className = classes;
        span.textContent = text.slice(from, to);
        nodes.append(span);
      } else nodes.append(text.slice(from, to));
      from = to;
    }
  }
  nodes.append(text.slice(past));
  element.replaceChildren(nodes);
}
