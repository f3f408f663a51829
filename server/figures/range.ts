import { plainDecimal, shift } from './decimal';
import type { Token } from './reading';

const LINK = /^[ \u00a0]?(?:-|–|—|to|and|or)[ \u00a0]?$/u;
const LINK_LENGTH_MAX = 5;
const YEAR_CUE = /\b(?:in|since|by|of|during|until|through|year|before|after|for)[ \u00a0]$/i;

/**
 * "70 to 80 percent", "96-100%", "1.2 to 1.5 million": the first figure of a range takes the sign
 * of the second. A scale may or may not apply ("from 3 to 5 million"), so both readings are kept; a
 * first figure of 1000 or more is written out and takes no scale.
 */
export function shareRangeUnits(text: string, tokens: readonly Token[]): readonly Token[] {
  let changed: Token[] | null = null;
  for (let i = tokens.length - 2; i >= 0; i--) {
    const second = tokens[i + 1];
    const first = tokens[i];
    if (first === undefined || second === undefined || second.from - first.to > LINK_LENGTH_MAX)
      continue;
    if (first.reading.quantities.length !== 1 || first.scale !== 0 || first.reading.percent)
      continue;
    if (
      !(second.reading.percent || second.scale !== 0) ||
      !LINK.test(text.slice(first.to, second.from))
    )
      continue;
    // "2.5% in 2022 and 3.1% in 2023": the year is not part of a range.
    if (
      first.reading.year !== null &&
      YEAR_CUE.test(text.slice(Math.max(0, first.from - 12), first.from))
    )
      continue;
    changed ??= [...tokens];
    changed[i] = withUnitOf(first, second);
  }
  return changed ?? tokens;
}

function withUnitOf(first: Token, second: Token): Token {
  const quantity = first.reading.quantities[0];
  if (quantity === undefined) return first;
  const writtenOut = (/\d+/.exec(plainDecimal(quantity.decimal))?.[0].length ?? 0) > 3;
  const quantities =
    second.scale === 0 || writtenOut ? [quantity] : [shift(quantity, second.scale), quantity];
  const reading = { ...first.reading, quantities, percent: second.reading.percent, year: null };
  const value = plainDecimal((quantities[0] ?? quantity).decimal);
  return second.reading.percent
    ? { ...first, value, reading, kind: 'percent', unit: '%' }
    : { ...first, value, reading };
}
