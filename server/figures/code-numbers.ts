import type { Region } from './exempt';
import type { SourceText } from './standards';

/**
 * Numbers that a source has only as part of a name: "week 18" of `2024-W18`, "in 2020" of
 * `seats_2020`, "95% within 176 ms" of `p95_ms`. The sentence names that key or code, and digits of
 * names are not figures (INT-21). A number that is in no name of a source, or is also a separate
 * value, counts as a figure.
 */
interface Form {
  /** The first group is the number. */
  readonly pattern: RegExp;
  /** The text right before the number in the name. */
  readonly before: RegExp;
  /** Only if every occurrence in the sources is part of a name. */
  readonly onlyInNames: boolean;
}

const FORMS: readonly Form[] = [
  {
    pattern: /\b(?:weeks?|wk|calendar week)[ \u00a0](\d{1,2})(?![\d.,:%]\d|[\d%])/gi,
    before: /(?:^|[^A-Za-z])(?:W|wk|week)[-_ ]?0?$/i,
    onlyInNames: false,
  },
  {
    pattern:
      /\b(?:in|of|from|since|by|for|and|to|until|than)[ \u00a0]((?:19|20)\d\d)(?![\d%]|[.,]\d)/gi,
    before: /[A-Za-z][-_]?$/,
    onlyInNames: true,
  },
  {
    pattern:
      /(?<![\d.,])(\d\d(?:\.\d)?)[ \u00a0]?%(?= (?:of [\w ]{1,30})?\b(?:within|under|below|in less than|faster than)\b)/gi,
    before: /(?:^|[^A-Za-z])p$/i,
    onlyInNames: false,
  },
];
/** Maximum occurrences checked for one number, to bound the cost of an answer. */
const PLACES_MAX = 1_000;
const REACH = 6;

/** @param sources the sources of the turn, read only if the text has such a number */
export function addCodeNumbers(
  text: string,
  sources: readonly SourceText[],
  regions: Region[],
): void {
  if (sources.length === 0) return;
  for (const form of FORMS) {
    const known = new Map<string, boolean>();
    for (const match of text.matchAll(form.pattern)) {
      const number = match[1] ?? '';
      const named = known.get(number) ?? isPartOfName(number, form, sources);
      known.set(number, named);
      if (!named) continue;
      const from = match.index + match[0].lastIndexOf(number);
      regions.push({ from, to: match.index + match[0].length });
    }
  }
}

function isPartOfName(
  number: string,
  { before, onlyInNames }: Form,
  sources: readonly SourceText[],
): boolean {
  let found = false;
  let left = PLACES_MAX;
  for (const { text } of sources) {
    for (
      let at = text.indexOf(number);
      at !== -1 && left-- > 0;
      at = text.indexOf(number, at + number.length)
    ) {
      if (/\d/u.test(text.charAt(at + number.length))) continue;
      const named = before.test(text.slice(Math.max(0, at - REACH), at));
      if (named && !onlyInNames) return true;
      if (!named && onlyInNames) return false;
      found ||= named;
    }
  }
  return found;
}
