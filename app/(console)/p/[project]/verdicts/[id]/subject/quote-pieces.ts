import { type Score, utf16Index } from '@/server/domain';

/**
 * A passage that a score quotes, in code points of a text, end exclusive. `score` is an index into
 * the verdict's scores.
 */
export interface QuoteSpan {
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/** A piece of a text, with the scores that quote it; none for text between quotes. */
export interface QuotePiece {
  readonly text: string;
  /** Its start, in code points. */
  readonly from: number;
  readonly scores: readonly number[];
}

/** More marks would cover the text. */
const SPANS_MAX = 500;

/**
 * The spans of each text by its name, from the scores' references (`output:12-40`). A task's id may
 * contain colons.
 */
export function quotesByText(scores: readonly Score[]): ReadonlyMap<string, readonly QuoteSpan[]> {
  const found = new Map<string, QuoteSpan[]>();
  for (const [score, { evidence }] of scores.entries()) {
    for (const { kind, ref } of evidence) {
      const match = kind === 'quote' ? /^([\s\S]+):(\d{1,9})-(\d{1,9})$/.exec(ref) : null;
      if (!match?.[1]) continue;
      const spans = found.get(match[1]) ?? [];
      if (spans.length < SPANS_MAX)
        spans.push({ from: Number(match[2]), to: Number(match[3]), score });
      found.set(match[1], spans);
    }
  }
  return found;
}

/**
 * Splits a text at all ends of its quotes; where quotes overlap, a piece has the scores of all of
 * them. No text is lost or duplicated.
 */
export function splitAtQuotes(text: string, spans: readonly QuoteSpan[]): QuotePiece[] {
  const ends = [
    ...new Set(spans.flatMap(({ from, to }) => (to > from ? [from, to] : []))),
  ].toSorted((a, b) => a - b);
  const pieces: QuotePiece[] = [];
  let unit = 0;
  let point = 0;
  const push = (end: number): void => {
    const piece = text.slice(unit, end);
    if (piece === '') return;
    const at = point;
    const scores = [
      ...new Set(spans.flatMap(({ from, to, score }) => (from <= at && at < to ? [score] : []))),
    ];
    const last = pieces.at(-1);
    if (last !== undefined && String(last.scores) === String(scores))
      pieces[pieces.length - 1] = { ...last, text: last.text + piece };
    else pieces.push({ text: piece, from: at, scores });
  };
  // Moves forward only: a long text with many quotes is scanned once.
  for (const next of ends) {
    const end = unit + utf16Index(text.slice(unit), next - point);
    push(end);
    unit = end;
    point = next;
  }
  push(text.length);
  return pieces;
}
