import { familyWords, isLetterSeries, takeApart } from './tokens';
import { type Family, familiesOfWord, familyOfVendor } from './words';

/**
 * All families that a name tells, the first one first: a distillate such as
 * `deepseek-r1-distill-llama-70b` has two. Where the name itself tells none, its maker does
 * (`openai/some-tune`). Empty: not known.
 */
export function familiesOf(model: string): readonly Family[] {
  const { vendors, name } = takeApart(model);
  // Others build on the name GPT.
  if (/^gpt[-_]?(?:neox?|j)(?![a-z])/.test(name)) return ['eleutherai'];
  if (isLetterSeries(name)) return ['openai'];
  const families = familyWords(name).flatMap((word) => familiesOfWord.get(word) ?? []);
  if (families.length > 0) return [...new Set(families)];
  const makers = vendors.flatMap((vendor) => familyOfVendor.get(vendor) ?? []);
  return makers.slice(-1);
}

/** The family that a model belongs to, or null where its name does not tell. */
export function familyOf(model: string): Family | null {
  return familiesOf(model)[0] ?? null;
}
