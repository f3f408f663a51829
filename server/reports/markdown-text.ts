/**
 * Builds Markdown (CommonMark with GitHub's tables) from untrusted texts (S-63): names of models
 * and rules, messages, reasons. Their content cannot create markup, links, lines or table cells.
 */

/** Control characters, and characters that are invisible or change the order of others. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;

const oneLine = (text: string): string =>
  text
    .replace(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replace(hidden, '\ufffd')
    .trim();

/** Formats plain text. Prevents automatic links: an invisible backslash breaks `://` and `www.`. */
export function plain(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>|~&#!]/g, (sign) => `\\${sign}`)
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\b(www)\./gi, '$1\\.');
}

/** Formats names as code. The fence is longer than any in the text. */
export function inlineCode(text: string): string {
  const line = oneLine(text);
  if (line === '') return '—';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  // A vertical bar ends a cell, even in code.
  return `${fence}${pad}${line.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** Formats a table whose cells are already Markdown; empty without rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => (cell === '' ? '—' : cell)).join(' | ')} |`;
  return [line(heads), `| ${heads.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

export const bullets = (lines: readonly string[]): string =>
  lines.map((line) => `- ${line}`).join('\n');

/** Joins parts with an empty line; omits empty parts. */
export const paragraphs = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join('\n\n');
