import { familiesOf } from './family';
import { nameWords } from './name-words';
import { splitModelName } from './tokens';
import { type Family, familyOfVendor, routes } from './words';

/**
 * Words that name no model: the newest version of it, and the routes of a router (`:free`). Unlike
 * `normaliseModel`, previews, tunings and quantisations stay separate, since people compare them.
 */
const unnamed = new Set(['latest', 'free', 'nitro', 'floor', 'extended', 'online', 'exacto']);

/** Parts of a path that lead to a model. */
const folders = new Set(['accounts', 'models', 'publishers', 'endpoints', 'foundation-model']);

/**
 * The identity of a model: one text for all names under which clients report it. Without provider,
 * route, region, parameters, date, host revision and `latest`, with the version as its maker writes
 * it: `openai/gpt-4o-2024-08-06` is `gpt-4o`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0` and
 * `anthropic/claude-sonnet-4.5` are `claude-sonnet-4-5`. Fine-tuned models (`ft:…`) keep their
 * whole name. Of a name that indicates no family only known prefixes and full dates are cut. Pure.
 */
export function modelIdentity(model: string): string {
  const tuned = /(?:^|[/:])(ft:.+)$/i.exec(model.trim());
  if (tuned !== null) return tuned[1] ?? model;
  const families = familiesOf(model);
  const { name } = splitModelName(model);
  if (!nameIndicatesFamily(name, families)) return cutPrefixes(model);
  const { bare, words } = nameWords(name, families);
  const named = words.filter((word) => !unnamed.has(word));
  if (named.length === 0) return bare;
  return families[0] === 'anthropic' ? claudeName(named) : joinVersions(cutMaker(named)).join('-');
}

/**
 * Names by which an alias matches a model, the most exact first: the name as sent, the same without
 * provider, and the identity. All in lower case.
 */
export function aliasKeys(model: string): readonly string[] {
  const { name } = splitModelName(model);
  const keys = [model.trim(), name, modelIdentity(model)].map((key) => key.toLowerCase());
  return [...new Set(keys)];
}

/** Whether the family comes from the name itself, not from its maker: `openai/my-tune` is not. */
const nameIndicatesFamily = (name: string, families: readonly Family[]): boolean =>
  families.length > 0 && familiesOf(name).length > 0;

/** Without known routes, makers and folders before a `/`, and without a full date at the end. */
function cutPrefixes(model: string): string {
  const text = model.trim().split('?')[0] ?? '';
  const path = text.split('/');
  const isKnown = (part: string): boolean => {
    const word = part.toLowerCase();
    return routes.has(word) || familyOfVendor.has(word) || folders.has(word);
  };
  const first = path.findIndex((part, at) => at === path.length - 1 || !isKnown(part));
  const modelPath = path.slice(first).join('/');
  const undated = modelPath.replace(/[-@](?:20[2-3]\d[01]\d[0-3]\d|20[2-3]\d-[01]\d-[0-3]\d)$/, '');
  return undated === '' ? text : undated;
}

/** `meta-llama-3.1` is `llama-3.1`: the maker's name before its model's. */
const cutMaker = (words: readonly string[]): readonly string[] =>
  words[0] === 'meta' && words[1] === 'llama' ? words.slice(1) : words;

/** Joins the numbers of a version by a dot: llama, 3, 1, 70b is `llama`, `3.1`, `70b`. */
function joinVersions(words: readonly string[]): string[] {
  const out: string[] = [];
  for (const word of words) {
    const before = out.at(-1);
    if (before !== undefined && /^v?\d{1,2}$/.test(before) && /^\d{1,2}$/.test(word))
      out[out.length - 1] = `${before}.${word}`;
    else out.push(word);
  }
  return inOrderOfGemini(out);
}

/** Routers write `gemini-pro-1.5`, its maker `gemini-1.5-pro`. */
function inOrderOfGemini(words: string[]): string[] {
  const [first = '', size = '', version = '', ...rest] = words;
  return first === 'gemini' && !/\d/.test(size) && /^\d+(?:\.\d+)?$/.test(version)
    ? [first, version, size, ...rest]
    : words;
}

/**
 * Claude's version precedes the size up to Claude 3 (`claude-3-5-sonnet`) and follows it from
 * Claude 4 on (`claude-sonnet-4-5`); before Claude 3 it has a dot (`claude-2.1`).
 */
function claudeName([first = '', ...rest]: readonly string[]): string {
  const numbers = rest.filter((word) => /^\d{1,2}$/.test(word));
  // `claude-v2` is Claude 2; after a size, `v2` is a host's revision.
  const old = rest.filter((word) => /^v\d$/.test(word)).map((word) => word.slice(1));
  const names = rest.filter((word) => !/^(?:v\d|\d{1,2})$/.test(word));
  const version = numbers.length > 0 ? numbers : names.length > 0 ? [] : old;
  const major = Number(version[0] ?? 0);
  if (major >= 4) {
    const [size = [], ...more] = names.map((name) => [name]);
    // `claude-sonnet-4-0` is Claude Sonnet 4.
    const significant = version.filter((number, at) => at === 0 || number !== '0');
    return [first, ...size, ...significant, ...more.flat()].join('-');
  }
  if (major === 3) return [first, ...version, ...names].join('-');
  return [first, ...names, ...(version.length > 0 ? [version.join('.')] : [])].join('-');
}

/**
 * The model that a name counts as in a project: the target of its most exact alias, or else its
 * identity. Pure. @param aliases by lower-case name
 */
export function resolveModel(model: string, aliases: ReadonlyMap<string, string>): string {
  for (const key of aliases.size === 0 ? [] : aliasKeys(model)) {
    const target = aliases.get(key);
    if (target !== undefined) return target;
  }
  return modelIdentity(model);
}
