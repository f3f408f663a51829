/**
 * The list of figures that every contender is measured on: all number tokens of a text, found by
 * one rule that belongs to none of them. Offsets count code points, as the data's spans do.
 */
export interface NumberToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const NUMBER = /\d+(?:[.,]\d+)*/g;

export function numberTokens(text: string): readonly NumberToken[] {
  const points = codePoints(text);
  return [...text.matchAll(NUMBER)].map((match) => {
    const [token] = match;
    const start = points(match.index);
    return { text: token, start, end: start + token.length };
  });
}

/**
 * The most naive rule of the data's README: does the same value occur anywhere? No dates, rounding,
 * units or arithmetic.
 */
export function valuesOf(texts: readonly string[]): ReadonlySet<number> {
  return new Set(texts.flatMap((text) => (text.match(NUMBER) ?? []).map(valueOf)));
}

export function valueOf(token: string): number {
  return Number(token.replaceAll(',', ''));
}

export function overlaps(token: Span, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => token.start < end && token.end > start);
}

/** Code points before a UTF-16 index; the indexes must be requested in order. */
function codePoints(text: string): (unit: number) => number {
  let at = 0;
  let points = 0;
  return (unit) => {
    while (at < unit) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      points++;
    }
    return points;
  };
}
