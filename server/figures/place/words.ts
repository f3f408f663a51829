import { remembered } from '../remembered';

/**
 * Words of names and sentences, compared by their stems and by a small general vocabulary of
 * measured quantities.
 */

const NAME_LENGTH_MAX = 80;
const PARTS_MAX = 8;

/** Parts of a name in lower case: `disk_pct`, `feelsLike`, `free space`. */
export const nameParts = remembered((name): readonly string[] =>
  name
    .slice(0, NAME_LENGTH_MAX)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length > 1 && !/^\d+$/u.test(part))
    .slice(0, PARTS_MAX),
);

/** Abbreviations in names, and synonyms. The first of each line represents all. */
const SAME: readonly string[] = [
  'temperature temp temperatures temps',
  'maximum max',
  'minimum min',
  'average avg mean averages',
  'percent pct percentage',
  'number num count',
  'quantity qty',
  'amount amt',
  'price cost fare fee charge',
  'memory mem ram',
  'processor cpu',
  'velocity speed speeds',
  'direction deg',
  'latitude lat',
  'longitude lon lng',
  'humidity humid',
  'precipitation precip',
  'rain rainfall rains',
  'snow snowfall snows',
  'cloud clouds cloudiness cloudy',
  'gust gusts',
  'wind winds',
  'people population persons inhabitants residents',
  'distance dist',
  'duration elapsed',
  'latency delay',
  'error errors err',
  'request requests req',
  'response responses resp',
  'revenue sales turnover',
  'median p50',
  'carbs carb carbohydrate carbohydrates',
  'fibre fiber',
];

const canonical: ReadonlyMap<string, string> = new Map(
  SAME.flatMap((line) => {
    const words = line.split(' ');
    return words.map((word): [string, string] => [word, words[0] ?? word]);
  }),
);

/** Names that include others: snow is precipitation. */
const KINDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['rain', new Set(['precipitation'])],
  ['snow', new Set(['precipitation'])],
  ['systolic', new Set(['pressure'])],
  ['diastolic', new Set(['pressure'])],
]);

/** The minimum common part of two forms of the same word: `vaccinated`, `vaccination`. */
const STEM = 5;

export function stemOf(word: string): string {
  const known = canonical.get(word);
  if (known !== undefined) return known;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) {
    const single = word.slice(0, -1);
    return canonical.get(single) ?? single;
  }
  return word;
}

/** Whether the stems of a name's part and of a sentence's word mean the same thing. */
export function sameStem(one: string, two: string): boolean {
  if (one === two || KINDS.get(one)?.has(two) === true) return true;
  if (one.length <= STEM || two.length <= STEM) return false;
  const length = Math.max(STEM, Math.min(one.length, two.length) - 3);
  return one.startsWith(two.slice(0, length));
}

/**
 * Stems of words with at least one synonym in the vocabulary: any other stem is rejected by two
 * lookups.
 */
export class Stems {
  private readonly whole = new Set<string>();
  private readonly beginnings = new Set<string>();

  constructor(stems: Iterable<string>) {
    for (const stem of stems) {
      this.whole.add(stem);
      for (const kind of KINDS.get(stem) ?? []) this.whole.add(kind);
      if (stem.length > STEM) this.beginnings.add(stem.slice(0, STEM));
    }
  }

  /** False only if `sameStem` is false for all of them. */
  mayHold(stem: string): boolean {
    return this.whole.has(stem) || (stem.length > STEM && this.beginnings.has(stem.slice(0, STEM)));
  }
}

/**
 * Quantities with a distinct name, by their stems. If a sentence states one that the source does
 * not have, its figure has no source, even if another number is equal.
 */
export const quantities: ReadonlySet<string> = new Set(
  'temperature humidity pressure visibility sunrise sunset precipitation rain snow wind gust cloud chance probability likelihood dew uv elevation population weight height length width depth'.split(
    ' ',
  ),
);

/** Measures of the word before them: "snow depth" is `snow_mm`. */
export const dimensionWords: ReadonlySet<string> = new Set('depth height length width'.split(' '));

/** Units of a single quantity. */
export const unitQuantities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    temperature: '°C °F ºC ºF ℃ ℉ celsius fahrenheit degrees degree',
    pressure: 'hPa mbar hectopascals hectopascal millibars psi mmHg inHg',
  }).flatMap(([quantity, list]) =>
    list.split(' ').map((unit): [string, string] => [unit, quantity]),
  ),
);
