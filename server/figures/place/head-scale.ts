/**
 * The scale that a table's head or a title gives all its amounts in: "USD million", "in thousands",
 * "$ m". A figure of a sentence, "5 million people", is none.
 */
const HEAD =
  /(?:\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|dollars?|euros?|pounds?)|\bin|\(|[$€£¥])\s?(thousands?|millions?|billions?|000s?|mn|bn|m|k)\b(?!\s?of\b)/giu;
const POWERS: readonly (readonly [RegExp, number])[] = [
  [/^(?:thousand|000|k)/iu, 3],
  [/^m/iu, 6],
  [/^b/iu, 9],
];
/** A head is near the top; a title's unit is not searched for in a whole source. */
const SEARCHED = 4_000;
/** What is short and may be something else ("in m") needs a currency before it. */
const SHORT = /^(?:in|\()\s?(?:m|k)$/iu;

/** Powers of ten, each once; empty where no head names a scale. */
export function headScales(text: string): readonly number[] {
  const found = new Set<number>();
  for (const [all, word = ''] of text.slice(0, SEARCHED).matchAll(HEAD)) {
    const power = SHORT.test(all) ? undefined : POWERS.find(([pattern]) => pattern.test(word))?.[1];
    if (power !== undefined) found.add(power);
  }
  return [...found];
}
