import { type CommentRules, embeddedLanguages, embedding, type StringRule } from './comment-rules';
import type { CodeRange } from './elements';

/**
 * The comments of a text by a table of its language, without a grammar. One forward pass: it finds
 * the start of a string or a comment, then its end. A template inside `${}` of a JavaScript
 * template is treated as two strings.
 */
export function lexComments(text: string, rules: CommentRules): readonly CodeRange[] {
  return rules === embedding ? lexMarkup(text) : lexPart(text, 0, text.length, rules);
}

/** Markup contains scripts and styles, each with its own comments. No text is read twice. */
function lexMarkup(text: string): readonly CodeRange[] {
  const tags = embeddedLanguages.map(([tag]) => tag).join('|');
  const starts = new RegExp(`<!--|<(${tags})\\b[^<>]{0,1000}>`, 'giu');
  const found: CodeRange[] = [];
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const [token, tag] = match;
    const from = match.index + token.length;
    const close = text.indexOf(tag === undefined ? '-->' : `</${tag}`, from);
    const to = close < 0 ? text.length : close;
    const rules = embeddedLanguages.find(([name]) => name === tag?.toLowerCase())?.[1];
    if (rules === undefined)
      found.push({ from: match.index, to: Math.min(text.length, to + '-->'.length) });
    else found.push(...lexPart(text, from, to, rules));
    starts.lastIndex = rules === undefined ? to + '-->'.length : to;
  }
  return found;
}

function lexPart(
  text: string,
  from: number,
  to: number,
  rules: CommentRules,
): readonly CodeRange[] {
  const starts = startsOf(rules);
  starts.lastIndex = from;
  const found: CodeRange[] = [];
  // If a slash does not begin a regular expression, no other slash on its line does, so the line is
  // not reread for each.
  let noRegexBefore = from;
  for (
    let match = starts.exec(text);
    match !== null && match.index < to;
    match = starts.exec(text)
  ) {
    const [token] = match;
    const at = match.index;
    const comment = commentEnd(text, at, token, to, rules);
    if (comment !== null) {
      found.push({ from: at, to: comment });
      starts.lastIndex = comment;
      continue;
    }
    const string = rules.strings.find(({ open }) => open === token);
    if (string !== undefined) {
      const end = stringEnd(text, at + token.length, to, string);
      if (string.remark === true && isWholeStatement(text, at, end))
        found.push({ from: at, to: end });
      starts.lastIndex = end;
    } else if (token === '/' && at >= noRegexBefore && beginsRegex(text, at, from)) {
      const { end, closed } = regexEnd(text, at + 1, to);
      if (!closed) noRegexBefore = end;
      starts.lastIndex = closed ? end : at + 1;
    } else {
      starts.lastIndex = at + token.length;
    }
  }
  return found;
}

const escaped = (token: string): string => token.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');

/** The possible starts of a comment or a string, the longest first. */
function startsOf({ line, wordLine, blocks, strings, regexes }: CommentRules): RegExp {
  const tokens = [
    ...line,
    ...wordLine,
    ...blocks.map(([open]) => open),
    ...strings.map(({ open }) => open),
    ...(regexes ? ['/'] : []),
  ];
  const sorted = [...new Set(tokens)].sort((a, b) => b.length - a.length);
  return new RegExp(sorted.map(escaped).join('|'), 'gu');
}

/** The end of the comment that begins here; null if there is none. */
function commentEnd(
  text: string,
  at: number,
  token: string,
  to: number,
  { line, wordLine, blocks }: CommentRules,
): number | null {
  const block = blocks.find(([open]) => open === token);
  if (block !== undefined) {
    const close = text.indexOf(block[1], at + token.length);
    return close < 0 ? to : Math.min(to, close + block[1].length);
  }
  const begins =
    line.includes(token) ||
    (wordLine.includes(token) && (at === 0 || /\s|[;,{}]/u.test(text.charAt(at - 1))));
  if (!begins) return null;
  const end = text.indexOf('\n', at);
  return end < 0 ? to : Math.min(to, end);
}

/** After the closing quote; a single-line string ends with its line. */
function stringEnd(
  text: string,
  from: number,
  to: number,
  { close, escape, lines }: StringRule,
): number {
  for (let i = from; i < to; i++) {
    if (text.startsWith(close, i)) {
      if (escape !== 'doubled' || !text.startsWith(close, i + close.length))
        return i + close.length;
      i += 2 * close.length - 1;
    } else if (escape === 'backslash' && text.charAt(i) === '\\') i++;
    else if (!lines && text.charAt(i) === '\n') return i;
  }
  return to;
}

const BLANKS_MAX = 200;

/**
 * A whole statement: only a few blanks precede it on its first line, and only a comment follows it
 * on its last line.
 */
function isWholeStatement(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - BLANKS_MAX), from);
  const after = text.slice(to, to + BLANKS_MAX);
  const begins = from <= BLANKS_MAX ? /(?:^|[\n\r])[ \t]*$/u : /[\n\r][ \t]*$/u;
  return begins.test(before) && /^[ \t]*(?:[\n\r#]|$)/u.test(after);
}

/** After a value a slash divides, otherwise it begins a regular expression. */
function beginsRegex(text: string, at: number, min: number): boolean {
  let before = at - 1;
  while (before >= min && /[ \t\r\n]/u.test(text.charAt(before))) before--;
  if (before < min) return true;
  if (!/[\w$)\]}"'`]/u.test(text.charAt(before))) return true;
  return /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|yield|await)$/u.test(
    text.slice(Math.max(min, before - 12), before + 1),
  );
}

/** After the closing slash; unclosed if the line ends before it. */
function regexEnd(
  text: string,
  from: number,
  to: number,
): { readonly end: number; readonly closed: boolean } {
  let inClass = false;
  for (let i = from; i < to; i++) {
    const character = text.charAt(i);
    if (character === '\n') return { end: i, closed: false };
    if (character === '\\') i++;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return { end: i + 1, closed: true };
  }
  return { end: to, closed: false };
}
