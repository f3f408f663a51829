/**
 * Reads the parameters of a JavaScript function from its text, inside the box: plain names, or one
 * destructured object. `signatureOf(evaluate)` returns
 * `{names: [name, required][], isObject, takesAll}`, or a fault as text. Exported for the harness,
 * and as a script for tests.
 */
export const parametersScript = String.raw`
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u;

/**
 * The position after the comment, text, template or regular expression that begins at a position;
 * the position itself if none does.
 */
function skipToken(text, at) {
  const two = text.slice(at, at + 2);
  if (two === '//') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (two === '/*') return text.indexOf('*/', at + 2) + 2;
  const first = text[at];
  const isPattern = first === '/' && /[=(,:[!&|?{};]\s*$/.test(text.slice(Math.max(0, at - 40), at));
  if (!isPattern && first !== '"' && first !== "'" && first !== '${'`'}') return at;
  let inClass = false;
  for (let i = at + 1; i < text.length; i += 1) {
    const each = text[i];
    if (each === '\\') i += 1;
    else if (isPattern && each === '[') inClass = true;
    else if (isPattern && each === ']') inClass = false;
    else if (first === '${'`'}' && each === '$' && text[i + 1] === '{') i = closing(text, i + 1);
    else if (each === first && !inClass) return i + 1;
  }
  return text.length;
}

/** The position of the bracket that closes the one at a position. */
function closing(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; ) {
    const after = skipToken(text, i);
    if (after > i) {
      i = after;
      continue;
    }
    if ('([{'.includes(text[i])) depth += 1;
    if (')]}'.includes(text[i]) && (depth -= 1) === 0) return i;
    i += 1;
  }
  return text.length;
}

/** The parts of a list, without comments. */
function parts(text) {
  const found = [];
  let part = '';
  for (let i = 0; i < text.length; ) {
    const after = skipToken(text, i);
    if (after > i) {
      part += text.startsWith('//', i) || text.startsWith('/*', i) ? ' ' : text.slice(i, after);
      i = after;
    } else if ('([{'.includes(text[i])) {
      const end = closing(text, i) + 1;
      part += text.slice(i, end);
      i = end;
    } else if (text[i] === ',') {
      found.push(part.trim());
      part = '';
      i += 1;
    } else {
      part += text[i];
      i += 1;
    }
  }
  return [...found, part.trim()].filter((each) => each !== '');
}

/** The text between the parentheses of a function. */
function listOf(text) {
  const arrow = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(text);
  if (arrow !== null) return arrow[1];
  for (let i = 0; i < text.length; ) {
    const after = skipToken(text, i);
    if (after > i) i = after;
    else if (text[i] === '(') return text.slice(i + 1, closing(text, i));
    else i += 1;
  }
  return '';
}

const howTo = 'declare plain names, evaluate(output, reference), or one object, evaluate({ output, reference })';

function signatureOf(evaluate) {
  if (typeof evaluate !== 'function')
    return 'the source has no function evaluate; define one: function evaluate({ output }) { … }';
  const text = Function.prototype.toString.call(evaluate);
  if (/^class\b/.test(text)) return 'evaluate is a class; make it a function';
  if (/\{\s*\[native code\]\s*\}$/.test(text)) return 'the parameters of a bound evaluate cannot be read; ' + howTo;
  const given = parts(listOf(text));
  const isObject = given.length === 1 && given[0].startsWith('{');
  const inner = isObject ? parts(given[0].slice(1, closing(given[0], 0))) : given;
  const names = [];
  let takesAll = false;
  for (const part of inner) {
    if (isObject && part.startsWith('...')) {
      takesAll = true;
      continue;
    }
    const quoted = isObject ? /^(['"])([^'"\\]*)\1\s*:/.exec(part) : null;
    const name = quoted === null ? (identifier.exec(part) ?? [])[0] : quoted[2];
    if (name === undefined) return 'the parameter "' + part.slice(0, 80) + '" cannot be read; ' + howTo;
    names.push([name, !hasDefault(part)]);
  }
  return { names, isObject, takesAll };
}

/** Whether a part has an equals sign outside of brackets and texts. */
function hasDefault(part) {
  for (let i = 0; i < part.length; ) {
    const after = skipToken(part, i);
    if (after > i) i = after;
    else if ('([{'.includes(part[i])) i = closing(part, i) + 1;
    else if (part[i] === '=') return true;
    else i += 1;
  }
  return false;
}
`;
