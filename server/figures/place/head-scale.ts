/**
 * The scale of all amounts in a table, from its head or title: "USD million", "in thousands", "$
 * m". The scale of a figure in a sentence, "5 million people", does not count.
 */
const HEAD =
  /(?:\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|dollars?|euros?|pounds?)|\bin|\(|[$€£¥])\s?(thousands?|millions?|billions?|000s?|mn|bn|m|k)\b(?!\s?of\b)/giu;
const POWERS: readonly (readonly [RegExp, number])[] = [
  [/^(?:thousand|000|k)/iu, 3],
  [/^m/iu, 6],
  [/^b/iu, 9],
];
/** A head is near the top; the rest of a source is not searched for a title's unit. */
const SEARCHED = 4_000;
/** A short, ambiguous form ("in m") needs a currency before it. */
const SHORT = /^(?:in|\()\s?(?:m|k)$/iu;

/** Distinct powers of ten; empty if no head names a scale. */
export function headScales(text: string): readonly number[] {
  const found = new Set<number>();
  for (const [all, word = ''] of text.slice(0, SEARCHED).matchAll(HEAD)) {
    const power = SHORT.test(all) ? undefined : POWERS.find(([pattern]) => pattern.test(word))?.[1];
    if (power !== undefined) found.add(power);
  }
  return [...found];
}
