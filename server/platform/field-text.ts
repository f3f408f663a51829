import type { ErrorDetail } from './errors';
import { shownName } from './nearest-name';

/** A place in a body as a caller writes it: `turns[3].messages[0].role`. */
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

/** How a text begins that says something of its field: "must be a string". */
const predicate =
  /^(?:is|are|was|were|must|may|can|cannot|has|have|had|holds|needs|names|lies|does|do|takes|matches|belongs|contains|repeats|nests|ends|begins|came|differs)\b/;

/**
 * A sentence about one field: it begins with the field, or with `whole` where the fault is of the
 * whole. A message that is a sentence already (it begins with a capital or a back-tick) stays as it
 * is.
 */
export function fieldSentence({ path, message }: ErrorDetail, whole = 'the body'): string {
  if (/^[A-Z`]/.test(message)) return asSentence(message);
  const field = path === '' ? whole : `\`${path}\``;
  return asSentence(predicate.test(message) ? `${field} ${message}` : `${field}: ${message}`);
}

/** Texts of older code that name their field as `field: what is wrong`. */
const named = /^([a-z_][\w.[\]-]*): (\S[^]*)$/;

/** A text as a sentence: a capital, unless it begins with a name, and one mark at its end. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const field = named.exec(trimmed);
  if (field !== null) return fieldSentence({ path: field[1] ?? '', message: field[2] ?? '' });
  const begun = /^[a-z][a-z’'-]*(?:[ ,;]|$)/.test(trimmed)
    ? `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}`
    : trimmed;
  return /[.?!]["”)]?$|…$/.test(begun) ? begun : `${begun}.`;
}
