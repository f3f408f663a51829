import { countCodePoints, type Evidence, type NormalText, normalText } from '../../domain';

/**
 * Finds the passages that a judge quoted in the judged text. White space, kinds of quotation marks
 * and dashes, markdown emphasis and case are ignored; a passage with an ellipsis is searched part
 * by part. A passage that occurs nowhere was invented or is about something else: it lowers the
 * confidence of the judgement.
 */
export interface QuotedText {
  /** First part of the references: `output` in `output:12-18`. */
  readonly name: string;
  readonly text: string;
}

export interface ResolvedQuotes {
  readonly evidence: readonly Evidence[];
  readonly unresolved: number;
  readonly total: number;
}

/** Longer passages are searched only verbatim. */
const FOLDED_CHARS_MAX = 1_000_000;
const ELLIPSIS = /\s*(?:\[(?:…|\.\.\.)\]|…|\.\.\.)\s*/u;
const DROPPED = /[*_`#\u200B-\u200D\u2060\uFEFF\u00AD]/u;

/** A text indexed for looking up many passages. */
export class QuoteIndex {
  private readonly normal: NormalText;
  private folded: { readonly text: string; readonly places: Uint32Array } | null = null;

  constructor(readonly source: QuotedText) {
    this.normal = normalText(source.text);
  }

  /** UTF-16 indices of the first occurrence, or null. */
  find(passage: string): { readonly start: number; readonly end: number } | null {
    const place = this.findNormal(passage.normalize('NFC'));
    return place === null ? null : (this.normal.placesOf([place])[0] ?? null);
  }

  private findNormal(passage: string): { readonly start: number; readonly end: number } | null {
    const { text } = this.normal;
    const exact = text.indexOf(passage);
    if (exact !== -1) return { start: exact, end: exact + passage.length };
    if (text.length > FOLDED_CHARS_MAX) return null;
    this.folded ??= fold(text);
    const wanted = fold(passage).text.trim();
    const at = wanted === '' ? -1 : this.folded.text.indexOf(wanted);
    if (at === -1) return null;
    const { places } = this.folded;
    return { start: places[at] ?? 0, end: (places[at + wanted.length - 1] ?? 0) + 1 };
  }
}

/** Every passage in the first text that contains it. */
export function resolveQuotes(
  quotes: readonly string[],
  sources: readonly QuoteIndex[],
): ResolvedQuotes {
  const evidence: Evidence[] = [];
  let unresolved = 0;
  let total = 0;
  for (const quote of quotes) {
    const parts = withoutMarks(quote)
      .split(ELLIPSIS)
      .filter((part) => /[\p{L}\p{N}]/u.test(part));
    if (parts.length === 0) continue;
    total++;
    const places = parts.map((part) => placeOf(part, sources));
    if (places.includes(null)) unresolved++;
    for (const place of places) if (place !== null) evidence.push(place);
  }
  return { evidence, unresolved, total };
}

/**
 * The confidence after its quotes were looked up: it is reduced by up to half, in proportion to the
 * share of quotes that occur nowhere. If all are invented, 0.87 becomes 0.435 and the work goes to
 * human review. Without quotes the confidence is unchanged.
 */
export function confidenceAfterQuotes(
  confidence: number,
  { unresolved, total }: Pick<ResolvedQuotes, 'unresolved' | 'total'>,
): number {
  return total === 0 ? confidence : confidence * (1 - 0.5 * (unresolved / total));
}

function placeOf(part: string, sources: readonly QuoteIndex[]): Evidence | null {
  for (const index of sources) {
    const place = index.find(part);
    if (place === null) continue;
    const { name, text } = index.source;
    const start = countCodePoints(text.slice(0, place.start));
    const end = start + countCodePoints(text.slice(place.start, place.end));
    return {
      kind: 'quote',
      ref: `${name}:${start}-${end}`,
      text: text.slice(place.start, Math.min(place.end, place.start + 300)).toWellFormed(),
    };
  }
  return null;
}

/** Without quotation marks around it. */
function withoutMarks(quote: string): string {
  return quote.trim().replace(/^["'“”‘’«»„]+|["'“”‘’«»„]+$/gu, '');
}

/**
 * Each character becomes one character or none; `places` contains the original position of each.
 */
function fold(text: string): { text: string; places: Uint32Array } {
  const places = new Uint32Array(text.length);
  const signs: string[] = [];
  let afterSpace = true;
  for (let i = 0; i < text.length; i++) {
    const sign = text.charAt(i);
    if (DROPPED.test(sign)) continue;
    const isSpace = /\s/u.test(sign);
    if (isSpace && afterSpace) continue;
    afterSpace = isSpace;
    places[signs.length] = i;
    signs.push(isSpace ? ' ' : (marks.get(sign) ?? lower(sign)));
  }
  return { text: signs.join(''), places };
}

function lower(sign: string): string {
  const small = sign.toLowerCase();
  return small.length === 1 ? small : sign;
}

const marks: ReadonlyMap<string, string> = new Map([
  ...Array.from('“”„«»', (sign) => [sign, '"'] as const),
  ...Array.from('‘’‚´', (sign) => [sign, "'"] as const),
  ...Array.from('‐‑‒–—−', (sign) => [sign, '-'] as const),
]);
