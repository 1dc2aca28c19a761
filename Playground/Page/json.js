// JSON that keeps its text: comments and trailing commas are allowed, and every value knows where it
// stands, so that `1.0` and `1` stay what they are when a test moves from one place to another.

class JsonError extends Error {
  constructor(message, at) { super(message); this.at = at; }
}

/// A value: `kind` is one of object, array, string, number, true, false, null; `raw` is its text;
/// `members` of an object are `[key, value]` pairs, `elements` those of an array, `text` of a string.
function readJson(source) {
  let at = 0, depth = 0;
  const fail = (message) => { throw new JsonError(message, at); };
  function skip() {
    for (;;) {
      while (at < source.length && ' \t\r\n'.includes(source[at])) at++;
      if (source.startsWith('//', at)) {
        while (at < source.length && source[at] !== '\n') at++;
      } else if (source.startsWith('/*', at)) {
        const end = source.indexOf('*/', at + 2);
        if (end < 0) fail('a comment does not end');
        at = end + 2;
      } else return;
    }
  }
  function string() {
    const start = at++;
    while (at < source.length && source[at] !== '"') {
      if (source[at] === '\n') fail('a string does not end on its line');
      at += source[at] === '\\' ? 2 : 1;
    }
    if (at >= source.length) fail('a string does not end');
    at++;
    try { return JSON.parse(source.slice(start, at)); } catch { at = start; fail('this is no string'); }
  }
  function value() {
    if (++depth > 100) fail('this is nested too deeply');
    skip();
    const start = at, result = { start };
    const first = source[at];
    if (first === undefined) fail('something is missing here');
    if (first === '{' || first === '[') {
      const isObject = first === '{', close = isObject ? '}' : ']';
      result.kind = isObject ? 'object' : 'array';
      const list = isObject ? (result.members = []) : (result.elements = []);
      at++;
      for (;;) {
        skip();
        if (source[at] === close) { at++; break; }
        if (isObject) {
          if (source[at] !== '"') fail('a key in quotes or } is expected');
          const key = string();
          skip();
          if (source[at] !== ':') fail('a colon is expected');
          at++;
          list.push([key, value()]);
        } else list.push(value());
        skip();
        if (source[at] === ',') at++;
        else if (source[at] !== close) fail(`a comma or ${close} is expected`);
      }
    } else if (first === '"') {
      result.kind = 'string';
      result.text = string();
    } else {
      const word = /^[-+\w.]+/.exec(source.slice(at, at + 400));
      if (!word) fail('this is no JSON');
      if (/^(true|false|null)$/.test(word[0])) result.kind = word[0];
      else if (/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(word[0])) result.kind = 'number';
      else fail(`\`${word[0]}\` is no JSON; text stands in double quotes`);
      at += word[0].length;
    }
    depth--;
    result.end = at;
    result.raw = source.slice(start, at);
    return result;
  }
  const whole = value();
  skip();
  if (at < source.length) fail('there is more text after the value');
  return whole;
}

/// A text of JavaScript as JSON, with quotes around keys and double ones around texts; null if it is JSON already, or
/// something else is wrong with it.
function quotedJson(text) {
  const isJson = (one) => { try { return Boolean(readJson(one)); } catch { return false; } };
  const parts = /"(?:\\.|[^"\\\n])*"|'((?:\\.|[^'\\\n])*)'|\/\/[^\n]*|([A-Za-z_$][\w$]*)(?=\s*:)/g;
  const quoted = text.replace(parts, (whole, single, key) => {
    if (single !== undefined) return `"${single.replaceAll("\\'", "'").replaceAll(/(^|[^\\])"/g, '$1\\"')}"`;
    return key === undefined ? whole : `"${key}"`;
  });
  return !isJson(text) && isJson(quoted) ? quoted : null;
}

/// The value of a key, or undefined.
function member(object, key) {
  return object?.members?.find(([name]) => name === key)?.[1];
}

/// The text of a value in lines of its own, indented by two spaces; numbers stay as they are written.
function layJson(value, indent = '') {
  const inner = indent + '  ';
  const isFlat = value.raw.length <= 60 && !value.raw.includes('\n');
  if (value.kind === 'object' && value.members.length && !isFlat) {
    const lines = value.members.map(([key, one]) => `${inner}${JSON.stringify(key)}: ${layJson(one, inner)}`);
    return `{\n${lines.join(',\n')}\n${indent}}`;
  }
  if (value.kind === 'array' && value.elements.length && !isFlat) {
    return `[\n${value.elements.map((one) => inner + layJson(one, inner)).join(',\n')}\n${indent}]`;
  }
  if (value.kind === 'object') {
    const parts = value.members.map(([key, one]) => `${JSON.stringify(key)}: ${layJson(one)}`);
    return parts.length ? `{ ${parts.join(', ')} }` : '{}';
  }
  if (value.kind === 'array') return `[${value.elements.map((one) => layJson(one)).join(', ')}]`;
  return value.raw;
}
