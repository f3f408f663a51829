import { familiesOfWord, familyOfVendor, routes } from './words';

/** A model's name, split into its prefixes and its own words, lower case. */
export interface NameParts {
  /** Makers and routes that preceded the name, outermost first. */
  readonly vendors: readonly string[];
  /**
   * `claude-3-5-sonnet-20241022`: the name, without parameters, path, route, region and maker, `:`
   * before a tag.
   */
  readonly name: string;
}

/** Regions before a maker, in names of one cloud: `us.anthropic.claude-…`. */
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
  for (let next = cutRoute(name); next !== null; next = cutRoute(name)) {
    vendors.push(next.vendor);
    name = next.rest;
  }
  const at = name.indexOf('@');
  return { vendors, name: at > 0 ? name.slice(0, at) : name };
}

/** One prefix of a name: `openai:`, `ft:`, `us.`, `anthropic.`; null if there is none. */
function cutRoute(name: string): { vendor: string; rest: string } | null {
  const dotted = /^([a-z0-9-]+)\.([a-z].*)$/.exec(name);
  if (dotted !== null) {
    const [, vendor = '', rest = ''] = dotted;
    // `deepseek.r1-v1:0`: if the rest indicates no family, the maker's name is part of the model's.
    if (familyOfVendor.has(vendor) && familyWords(rest).length === 0)
      return { vendor, rest: `${vendor}-${rest}` };
    if (regions.has(vendor) || familyOfVendor.has(vendor)) return { vendor, rest };
  }
  const colon = name.indexOf(':');
  if (colon <= 0 || colon === name.length - 1) return null;
  const [vendor, rest] = [name.slice(0, colon), name.slice(colon + 1)];
  // `ft:gpt-4o-mini:org::id`: for judging, a tuned model counts as the model it was tuned from.
  if (vendor === 'ft') return { vendor, rest: rest.split(':')[0] ?? rest };
  if (routes.has(vendor)) return { vendor, rest };
  // `mistral:7b` is a model and its tag, `mistral:mistral-large` a maker and a model: the part
  // after the colon decides.
  if (isLetterSeries(rest) && familyWords(vendor).length === 0) return { vendor, rest };
  const follows = familyWords(rest).length > 0;
  return follows && (familyOfVendor.has(vendor) || familyWords(vendor).length === 0)
    ? { vendor, rest }
    : null;
}

/**
 * Names of OpenAI's o-series consist of a letter and a number only, so these must come first:
 * `o3-mini`.
 */
export const isLetterSeries = (name: string): boolean => /^o[1-9](?![a-z0-9])/.test(name);

/**
 * Words as the families list them: split at anything but letters and digits, without the version
 * after a word (`llama3`, `gpt4o`).
 */
export function familyWords(name: string): string[] {
  return name.split(/[^a-z0-9]+/).flatMap((token) => {
    const word = /^([a-z]+?)(?:v?\d+(?:x\d+)?[a-z]{0,2})?$/.exec(token)?.[1] ?? '';
    return familiesOfWord.has(word) ? [word] : [];
  });
}
