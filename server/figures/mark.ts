import { type Figure, utf16Index } from '../domain';
import { UNSOURCED_MARK } from './mark-sign';

/**
 * The answer with one ⚠️ right after every unsourced figure (INT-6, INT-22). `figures` belong to
 * this very text, in order. Figures are in running text only (INT-21 exempts code, URLs and tags),
 * so a mark never breaks markdown.
 */
export function markUnsourced(answer: string, figures: readonly Figure[]): string {
  const parts: string[] = [];
  let from = 0;
  let point = 0;
  for (const { end, sourced } of figures) {
    if (sourced) continue;
    const at = from + utf16Index(answer.slice(from, from + 2 * (end - point)), end - point);
    parts.push(answer.slice(from, at));
    if (!answer.startsWith(UNSOURCED_MARK, at)) parts.push(UNSOURCED_MARK);
    from = at;
    point = end;
  }
  parts.push(answer.slice(from));
  return parts.join('');
}
