import type { Budget } from './match-prose';
import type { ClaimPlace } from './output';
import { type OutputIndex, PLACES_MAX } from './output-index';
import type { DataRecord, Leaf } from './records';
import type { Word } from './words';

/** A figure of a claim that stands in the data of an output. */
export interface PlacedFigure {
  readonly index: number;
  readonly path: string;
}

/** Prepositions that tie a key to its value in prose and have no counterpart in data. */
const TIES = new Set(['at', 'for', 'with', 'by', 'to', 'from', 'per', 'each']);
const RECORDS_MAX = 40;
const DEPTH_MAX = 8;
const LEAVES_MAX = 200;

/**
 * Where one object of the data says the claim: its figure is the value of one key, the thing it is about another value of the same
 * object or of one around it, and every other word stands in the keys of those two. A claim with more than one figure, or about more than
 * one thing, is not decided: words alone do not tell which belongs to which.
 * @param words those of the claim and its label that count, without figures; @param figures all figures of the claim
 */
export function placesInRecord(
  words: readonly Word[],
  figures: readonly PlacedFigure[],
  index: OutputIndex,
  budget: Budget,
): readonly ClaimPlace[] {
  if (figures.length > 1 || words.some(({ kind }) => kind === 'turn')) return [];
  const wanted = new Set(words.map(({ word }) => word).filter((word) => !TIES.has(word)));
  if (wanted.size === 0 || wanted.size > 40) return [];
  const [figure] = figures;
  if (figure === undefined) return byNames(wanted, index, budget);
  const stated = index.leafAt(figure.index, figure.path);
  if (stated === null) return [];
  const about = [...leavesAround(stated.record, budget)].filter(
    ({ path, values }) =>
      path !== figure.path &&
      values.length > 0 &&
      values.every((word) => wanted.has(word)) &&
      // "Available seats: 3" is not about `status: available`.
      !values.every((word) => stated.leaf.keys.has(word)),
  );
  if (new Set(about.map(({ column }) => column)).size > 1) return [];
  const thing = about[0] ?? null;
  if (thing !== null && isNamedTwice(thing, index, budget)) return [];
  const named = new Set(thing === null ? [] : [...thing.values, ...thing.keys]);
  const rest = [...wanted].filter((word) => !named.has(word));
  if (!rest.every((word) => stated.leaf.keys.has(word))) return [];
  // The keys must single out this value, in its object where the thing is named, else in the whole output.
  const rivals = thing === null ? rivalsIn(rest, figure.index, index) : [...leavesAround(stated.record, budget)];
  // "Economy price" is nearer to `prices.economy` than to `prices.basic_economy`.
  const isRival = ({ path, keys }: Leaf): boolean =>
    path !== figure.path && keys.size <= stated.leaf.keys.size && rest.every((word) => keys.has(word));
  if (rest.length === 0 || rivals === null || rivals.some(isRival)) return [];
  return [placeOf(stated.leaf), ...(thing === null ? [] : [placeOf(thing)])];
}

/** A claim without figures: one value, or values of one list, and their keys say all of it. */
function byNames(wanted: ReadonlySet<string>, index: OutputIndex, budget: Budget): readonly ClaimPlace[] {
  let rarest: readonly DataRecord[] | null = null;
  for (const word of wanted) {
    const records = index.recordsWith(word);
    if (records.length > 0 && (rarest === null || records.length < rarest.length)) rarest = records;
  }
  for (const record of (rarest ?? []).slice(0, RECORDS_MAX)) {
    if (!budget.spend(record.leaves.length)) return [];
    const said = record.leaves
      .slice(0, LEAVES_MAX)
      .filter(
        ({ values, keys }) => values.length > 0 && values.every((word) => wanted.has(word)) && [...keys].some((key) => wanted.has(key)),
      );
    const columns = new Set(said.map(({ column }) => column));
    const covered = new Set(said.flatMap(({ values, keys }) => [...values, ...keys]));
    if (columns.size !== 1 || ![...wanted].every((word) => covered.has(word))) continue;
    return isSingledOut(said, wanted, index) ? said.slice(0, 8).map(placeOf) : [];
  }
  return [];
}

/** Whether another object of the same output has the same value under the same keys: then the value does not tell which one is meant. */
function isNamedTwice(thing: Leaf, index: OutputIndex, budget: Budget): boolean {
  const records = index.recordsWith(thing.values[0] ?? '');
  if (records.length >= PLACES_MAX) return true;
  const said = thing.values.join(' ');
  return records.some((record) => {
    if (!budget.spend(record.leaves.length)) return true;
    return record.leaves.some(
      ({ index: output, path, column, values }) =>
        output === thing.index && path !== thing.path && column === thing.column && values.join(' ') === said,
    );
  });
}

/** No other object of the output has another value under the same keys: which of them the claim is about would be a guess. */
function isSingledOut(said: readonly Leaf[], wanted: ReadonlySet<string>, index: OutputIndex): boolean {
  const [first] = said;
  if (first === undefined) return false;
  const keys = [...first.keys].filter((key) => wanted.has(key));
  const list = (path: string): string => path.replace(/\[\d+\]$/, '');
  const rivals = rivalsIn(keys, first.index, index);
  return rivals?.every((leaf) => list(leaf.path) === list(first.path) || !keys.every((key) => leaf.keys.has(key))) ?? false;
}

/** Leaves of a record and of those around it. */
function* leavesAround(record: DataRecord, budget: Budget): Generator<Leaf> {
  let depth = 0;
  for (let at: DataRecord | null = record; at !== null && depth < DEPTH_MAX; at = at.parent, depth++) {
    for (const leaf of at.leaves.slice(0, LEAVES_MAX)) {
      if (!budget.spend(1)) return;
      yield leaf;
    }
  }
}

/** Null where there are too many to look through. */
function rivalsIn(words: readonly string[], output: number, index: OutputIndex): readonly Leaf[] | null {
  let rarest: readonly Leaf[] | null = null;
  for (const word of words) {
    const leaves = index.leavesUnder(output, word);
    if (rarest === null || leaves.length < rarest.length) rarest = leaves;
  }
  return rarest === null || rarest.length >= PLACES_MAX ? null : rarest;
}

const placeOf = ({ index, path, text }: Leaf): ClaimPlace => ({ index, part: 'data', path, text });
