import { familyWords, isLetterSeries, splitModelName } from './tokens';
import { type Family, familiesOfWord, familyOfVendor } from './words';

/**
 * All families that a name indicates, in order: a distillate such as
 * `deepseek-r1-distill-llama-70b` has two. If the name itself indicates none, its maker does
 * (`openai/some-tune`). Empty if unknown.
 */
export function familiesOf(model: string): readonly Family[] {
  const { vendors, name } = splitModelName(model);
  // Other makers also use the name GPT.
  if (/^gpt[-_]?(?:neox?|j)(?![a-z])/.test(name)) return ['eleutherai'];
  if (isLetterSeries(name)) return ['openai'];
  const families = familyWords(name).flatMap((word) => familiesOfWord.get(word) ?? []);
  if (families.length > 0) return [...new Set(families)];
  const makers = vendors.flatMap((vendor) => familyOfVendor.get(vendor) ?? []);
  return makers.slice(-1);
}

/** The family of a model, or null if its name does not indicate it. */
export function familyOf(model: string): Family | null {
  return familiesOf(model)[0] ?? null;
}
