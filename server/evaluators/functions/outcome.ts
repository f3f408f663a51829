// Strict parsing of a function's return value (online.md 3).
import { cleanText } from '../../domain';
import { nearestName } from '../../platform';

/** Limits of one result. */
export const resultLimits = {
  scores: 100,
  nameChars: 200,
  labelChars: 200,
  /** A longer reason is cut. */
  reasonChars: 2_000,
  /** Of the JSON text. */
  metadataChars: 16_384,
  metadataDepth: 32,
  weight: 1_000,
  /** A longer fault is cut. */
  faultChars: 500,
} as const;

/** One of the scores that a function returned. */
export interface FunctionScore {
  /** Null only for a result that is not a list. */
  readonly name: string | null;
  /** 0..1; null if unscored. */
  readonly score: number | null;
  readonly label: string | null;
  readonly reason: string | null;
  /** Any JSON. */
  readonly metadata: unknown;
  readonly weight: number;
  readonly mustPass: boolean;
}

/** A result in the documented form. */
export interface FunctionValue {
  /** 0..1: the score, or the weighted mean of the list. Null if unscored. */
  readonly value: number | null;
  /** The lowest score of those that must pass; null if there are none. */
  readonly mustPass: number | null;
  /** Whether the function returned a list; otherwise there is one score. */
  readonly isList: boolean;
  readonly scores: readonly FunctionScore[];
}

/** A value, or why the result has none: one sentence for the author of the function. */
export type ReadResult = FunctionValue | { readonly fault: string };

const members = [
  'name',
  'score',
  'label',
  'reason',
  'metadata',
  'weight',
  'must_pass',
  'error',
] as const;
const forms =
  'a number from 0 to 1, a boolean, null, {score, label, reason, metadata}, or a list of {name, score, …}';

/** @param returned JSON */
export function readResult(returned: unknown): ReadResult {
  try {
    if (Array.isArray(returned)) return readList(returned);
    const score = isObject(returned) ? readScore(returned, '') : bareScore(returned);
    return { value: score.score, mustPass: null, isList: false, scores: [score] };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

class Fault extends Error {}

const bareScore = (returned: unknown): FunctionScore => ({
  name: null,
  score: numberOf(returned, 'evaluate returned'),
  label: null,
  reason: null,
  metadata: null,
  weight: 1,
  mustPass: false,
});

/** The weighted mean of those that are scored, to four decimals, as for other scores. */
function readList(list: readonly unknown[]): FunctionValue {
  if (list.length === 0) throw new Fault('evaluate returned an empty list; return null for none');
  if (list.length > resultLimits.scores)
    throw new Fault(`evaluate returned ${list.length} scores; the limit is ${resultLimits.scores}`);
  const names = new Set<string>();
  const scores = list.map((item, index) => {
    const where = `[${index}]`;
    if (!isObject(item)) throw new Fault(`${where} of the list is no object {name, score, …}`);
    const score = readScore(item, where);
    if (score.name === null) throw new Fault(`${where}.name is missing: name each score of a list`);
    if (names.has(score.name))
      throw new Fault(`${where}.name repeats "${score.name}": names of a list are distinct`);
    names.add(score.name);
    return score;
  });
  const required = scores.filter(({ mustPass }) => mustPass).map(({ score }) => score);
  const [sum, weights] = scores.reduce(
    ([total, all], { score, weight }) =>
      score === null ? [total, all] : [total + score * weight, all + weight],
    [0, 0],
  );
  const isOpen = weights === 0 || required.includes(null);
  return {
    value: isOpen ? null : Math.round((sum / weights) * 10_000) / 10_000,
    mustPass: required.length === 0 || isOpen ? null : Math.min(...required.map(Number)),
    isList: true,
    scores,
  };
}

function readScore(item: Readonly<Record<string, unknown>>, where: string): FunctionScore {
  const at = (member: string): string => (where === '' ? member : `${where}.${member}`);
  const unknown = Object.keys(item).find((name) => !members.some((known) => known === name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, members);
    const fix = nearest === null ? `the members are ${members.join(', ')}` : `use "${nearest}"`;
    throw new Fault(`the result has the unknown member "${at(unknown.slice(0, 80))}": ${fix}`);
  }
  const error = textOf(item.error, at('error'), resultLimits.reasonChars);
  if (error !== null) throw new Fault(`evaluate reported an error: ${error}`);
  if (item.score === undefined)
    throw new Fault(`${at('score')} is missing: give a number from 0 to 1, a boolean or null`);
  const weight = item.weight ?? 1;
  if (typeof weight !== 'number' || !(weight >= 0 && weight <= resultLimits.weight))
    throw new Fault(`${at('weight')} must be a number from 0 to ${resultLimits.weight}`);
  const mustPass = item.must_pass ?? false;
  if (typeof mustPass !== 'boolean') throw new Fault(`${at('must_pass')} must be a boolean`);
  return {
    name: boundedText(item.name, at('name'), resultLimits.nameChars),
    score: numberOf(item.score, `${at('score')} is`),
    label: boundedText(item.label, at('label'), resultLimits.labelChars),
    reason: textOf(item.reason, at('reason'), resultLimits.reasonChars),
    metadata: metadataOf(item.metadata, at('metadata')),
    weight,
    mustPass,
  };
}

/** @param what begins the sentence */
function numberOf(value: unknown, what: string): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'number')
    throw new Fault(`${what} ${typeof value === 'string' ? 'a text' : 'an object'}; use ${forms}`);
  if (value >= 0 && value <= 1) return value;
  throw new Fault(`${what} ${value}, which is outside 0 to 1`);
}

/** @returns null for nothing, and for an empty text */
function textOf(value: unknown, where: string, maxChars: number): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'string') throw new Fault(`${where} must be a text`);
  return cleanText(value.slice(0, maxChars)).text;
}

function boundedText(value: unknown, where: string, maxChars: number): string | null {
  if (typeof value === 'string' && value.length > maxChars)
    throw new Fault(`${where} has ${value.length} characters; the limit is ${maxChars}`);
  return textOf(value, where, maxChars);
}

function metadataOf(value: unknown, where: string): unknown {
  if (value === undefined || value === null) return null;
  const { length } = JSON.stringify(value);
  if (length > resultLimits.metadataChars)
    throw new Fault(
      `${where} has ${length} characters as JSON; the limit is ${resultLimits.metadataChars}`,
    );
  return storable(value, where, resultLimits.metadataDepth);
}

/** JSON that PostgreSQL accepts. */
function storable(value: unknown, where: string, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value).text;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0)
    throw new Fault(`${where} is nested deeper than ${resultLimits.metadataDepth} levels`);
  if (Array.isArray(value)) return value.map((item) => storable(item, where, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      cleanText(name).text,
      storable(item, where, depth - 1),
    ]),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
