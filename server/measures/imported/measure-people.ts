import { categoricalKappa, jackknife, krippendorffAlpha } from '../../stats';
import type { Estimate } from '../report';
import type { PeopleAgreement } from './imported';
import type { RatedRow } from './imported-rows';

/** Maximum number of listed pairs of raters, those with the most common subjects first. */
const pairsMax = 50;
/** Maximum number of raters paired per subject: the number of pairs is quadratic. */
const pairedMax = 50;
/** Alpha of grades compares all pairs of values. */
const gradesMax = 500;

/** Pure. For the rows of one dimension and form; null if no subject has two raters. */
export function measurePeople(
  rows: readonly RatedRow[],
): Omit<PeopleAgreement, 'dimension' | 'form'> | null {
  const shared = rows.filter(({ said }) => said.length > 1);
  if (shared.length === 0) return null;
  const isGrade = rows.some(({ form }) => form === 'grade');
  const units = shared.flatMap(({ said, items }) => {
    const ratings = said.map(([, word, grade]) => (isGrade ? (grade ?? 0) : (word ?? '')));
    return new Array<readonly (string | number)[]>(items).fill(ratings);
  });
  return {
    items: units.length,
    raters: new Set(rows.flatMap(({ said }) => said.map(([rater]) => rater))).size,
    labels: rows.reduce((sum, { said, items }) => sum + said.length * items, 0),
    alpha: alphaOf(units, isGrade),
    pairs: pairsOf(shared),
    truths: isGrade ? [] : truthsOf(rows),
  };
}

function alphaOf(units: readonly (readonly (string | number)[])[], isGrade: boolean): Estimate {
  const n = units.length;
  const none = { value: null, low: null, high: null, n };
  if (new Set(units.flat()).size > gradesMax) return none;
  const alpha = (sample: typeof units): number | null =>
    krippendorffAlpha(sample, isGrade ? 'interval' : 'nominal');
  const found = jackknife(units, alpha, { max: 1 });
  return found === null
    ? { ...none, value: alpha(units) }
    : { value: found.value, low: found.low, high: found.high, n };
}

interface Pair {
  readonly one: string;
  readonly other: string;
  readonly said: (readonly [string, string])[];
}

function pairsOf(rows: readonly RatedRow[]): PeopleAgreement['pairs'] {
  const pairs = new Map<string, Pair>();
  for (const { said, items } of rows) {
    const some = said.slice(0, pairedMax);
    for (const [at, [one, word, grade]] of some.entries()) {
      for (const [other, otherWord, otherGrade] of some.slice(at + 1)) {
        const key = JSON.stringify([one, other]);
        const pair = pairs.get(key) ?? { one, other, said: [] };
        pairs.set(key, pair);
        const both = [word ?? String(grade), otherWord ?? String(otherGrade)] as const;
        for (let time = 0; time < items; time++) pair.said.push(both);
      }
    }
  }
  return [...pairs.values()]
    .sort(
      (a, b) =>
        b.said.length - a.said.length ||
        (a.one < b.one ? -1 : a.one > b.one ? 1 : a.other < b.other ? -1 : 1),
    )
    .slice(0, pairsMax)
    .map(({ one, other, said }) => {
      const { value, low, high, n } = categoricalKappa(said);
      return { one, other, kappa: { value, low, high, n } };
    });
}

function truthsOf(rows: readonly RatedRow[]): PeopleAgreement['truths'] {
  const counts = new Map<string, number>();
  for (const { truth, items } of rows)
    if (truth !== null) counts.set(truth, (counts.get(truth) ?? 0) + items);
  return [...counts]
    .map(([word, items]) => ({ word, items }))
    .sort((a, b) => b.items - a.items || (a.word < b.word ? -1 : 1));
}
