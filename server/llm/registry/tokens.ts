import { familiesOfWord, familyOfVendor, routes } from './words';

/** A model name in lower case, split into its prefixes and the name itself. */
export interface NameParts {
  /** Vendors and routes before the name, outermost first. */
  readonly vendors: readonly string[];
  /**
   * The name without parameters, path, route, region and vendor, such as
   * `claude-3-5-sonnet-20241022`. A tag stays, after a `:`.
   */
  readonly name: string;
}

/** Regions that Amazon Bedrock puts before the vendor: `us.anthropic.claude-…`. */
const regions = new Set([
  'us',
  'eu',
  'apac',
  'ap',
  'global',
  'us-gov',
  'jp',
  'au',
  'ca',
  'sa',
  'me',
  'af',
]);

/** Splits prefixes from the name. Linear time; accepts any text. */
export function splitModelName(text: string): NameParts {
  const bare = text.normalize('NFKC').trim().toLowerCase().split('?')[0] ?? '';
  const path = bare.split('/');
  const vendors = path.slice(0, -1).flatMap((part) => part.split(':'));
  let name = path.at(-1) ?? '';
  for (let next = splitPrefix(name); next !== null; next = splitPrefix(name)) {
    vendors.push(next.vendor);
    name = next.rest;
  }
  const at = name.indexOf('@');
  return { vendors, name: at > 0 ? name.slice(0, at) : name };
}

/**
 * Splits the first prefix from a name: `openai:`, `ft:`, `us.`, `anthropic.`. Null if there is
 * none.
 */
function splitPrefix(name: string): { vendor: string; rest: string } | null {
  const dotted = /^([a-z0-9-]+)\.([a-z].*)$/.exec(name);
  if (dotted !== null) {
    const [, vendor = '', rest = ''] = dotted;
    // `deepseek.r1-v1:0`: if the rest names no family, the vendor's name is part of the model name.
    if (familyOfVendor.has(vendor) && familyWords(rest).length === 0)
      return { vendor, rest: `${vendor}-${rest}` };
    if (regions.has(vendor) || familyOfVendor.has(vendor)) return { vendor, rest };
  }
  const colon = name.indexOf(':');
  if (colon <= 0 || colon === name.length - 1) return null;
  const [vendor, rest] = [name.slice(0, colon), name.slice(colon + 1)];
  // `ft:gpt-4o-mini:org::id`: for judging, a fine-tuned model counts as its base model.
  if (vendor === 'ft') return { vendor, rest: rest.split(':')[0] ?? rest };
  if (routes.has(vendor)) return { vendor, rest };
  // `mistral:7b` is a model and its tag, `mistral:mistral-large` a vendor and a model: the part
  // after the colon decides.
  if (isLetterSeries(rest) && familyWords(vendor).length === 0) return { vendor, rest };
  const restNamesFamily = familyWords(rest).length > 0;
  return restNamesFamily && (familyOfVendor.has(vendor) || familyWords(vendor).length === 0)
    ? { vendor, rest }
    : null;
}

/**
 * Whether the name belongs to OpenAI's o-series (`o3-mini`). It is only a letter and a number, so
 * it must come first in the name.
 */
export const isLetterSeries = (name: string): boolean => /^o[1-9](?![a-z0-9])/.test(name);

/**
 * The words of a name that identify a family. The name is split at anything other than letters and
 * digits, and the version after a word is dropped (`llama3`, `gpt4o`).
 */
export function familyWords(name: string): string[] {
  return name.split(/[^a-z0-9]+/).flatMap((token) => {
    const word = /^([a-z]+?)(?:v?\d+(?:x\d+)?[a-z]{0,2})?$/.exec(token)?.[1] ?? '';
    return familiesOfWord.has(word) ? [word] : [];
  });
}
