import type { ErrorDetail } from './errors';
import { shownName } from './nearest-name';

/** The path of a field as callers write it: `turns[3].messages[0].role`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = shownName(String(part));
      if (!/^[\w$-]+$/.test(name) && at > 0) return `[${JSON.stringify(name)}]`;
      return at === 0 ? name : `.${name}`;
    })
    .join('');
}

/** Beginnings of a message that is a predicate of its field: "must be a string". */
const predicate =
  /^(?:is|are|was|were|must|may|can|cannot|has|have|had|holds|needs|names|lies|does|do|takes|matches|belongs|contains|repeats|nests|ends|begins|came|differs)\b/;

/**
 * A sentence about one field: it begins with the field, or with `wholeName` if the fault concerns
 * the whole body. A message that is already a sentence (it begins with a capital or a back-tick)
 * stays unchanged.
 */
export function fieldSentence({ path, message }: ErrorDetail, wholeName = 'the body'): string {
  if (/^[A-Z`]/.test(message)) return asSentence(message);
  const field = path === '' ? wholeName : `\`${path}\``;
  return asSentence(predicate.test(message) ? `${field} ${message}` : `${field}: ${message}`);
}

/** Messages of older code that name their field as `field: problem`. */
const named = /^([a-z_][\w.[\]-]*): (\S[^]*)$/;

/**
 * Makes a text a sentence: a capital, unless it begins with a name, and one full stop at its end.
 */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const field = named.exec(trimmed);
  if (field !== null) return fieldSentence({ path: field[1] ?? '', message: field[2] ?? '' });
  const begun = /^[a-z][a-z’'-]*(?:[ ,;]|$)/.test(trimmed)
    ? `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}`
    : trimmed;
  return /[.?!]["”)]?$|…$/.test(begun) ? begun : `${begun}.`;
}
