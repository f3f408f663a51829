import type { HttpApi } from './http-api';
import { parseObject } from './read-reply';

/**
 * Finds faults of a gate before anything is stored, which the server would refuse only after the
 * run.
 */

type Gate = Readonly<Record<string, unknown>>;
type Fail = (message: string) => Error;

const members = ['min_pass_rate', 'no_regression_against', 'max_cost_usd'];
const limitMembers = ['at_least', 'by'];
const maxCostUsd = 1_000_000;
const branchPrefix = 'branch:';
const baselineForm = `the id of an experiment, such as exp_…, or ${branchPrefix} and a name`;

/** @throws the error of `fail` with the member and its fix */
export function checkGate(gate: Gate, verifiers: readonly string[], fail: Fail): void {
  refuseUnknown('gate', gate, members, fail);
  const { min_pass_rate: limits, no_regression_against: against, max_cost_usd: maxCost } = gate;
  if ([limits, against, maxCost].every((member) => member === undefined))
    throw fail(`gate: is empty; give it ${members.join(', ')}`);
  if (limits !== undefined) checkLimits(limits, verifiers, fail);
  if (maxCost !== undefined && !isWithin(maxCost, maxCostUsd))
    throw fail(`gate.max_cost_usd: must be a number from 0 to ${maxCostUsd}`);
  const isBaseline = typeof against === 'string' && against !== '' && against !== branchPrefix;
  if (against !== undefined && !isBaseline)
    throw fail(`gate.no_regression_against: must be ${baselineForm}`);
}

/** @throws the error of `fail` if there is no such experiment, or if it has another dataset */
export async function checkBaseline(
  api: HttpApi,
  { gate, dataset }: { readonly gate: Gate; readonly dataset: string },
  fail: Fail,
): Promise<void> {
  const against = gate.no_regression_against;
  if (typeof against !== 'string' || against.startsWith(branchPrefix)) return;
  const { status, text } = await api.callRaw(`/v1/experiments/${encodeURIComponent(against)}`);
  const problem = (message: string): Error => fail(`gate.no_regression_against: ${message}`);
  if (status === 404)
    throw problem(`there is no experiment "${against}" in this project; give ${baselineForm}`);
  const [slug] = dataset.split('@');
  const found = status === 200 ? parseObject(text)?.dataset : undefined;
  if (typeof found === 'string' && found.split('@')[0] !== slug)
    throw problem(`"${against}" has the dataset ${found}; give one with the dataset ${slug}`);
}

function checkLimits(limits: unknown, verifiers: readonly string[], fail: Fail): void {
  const path = 'gate.min_pass_rate';
  if (!isObject(limits))
    throw fail(`${path}: must be an object such as {${verifiers[0] ?? 'task'}: {at_least: 0.9}}`);
  for (const [verifier, limit] of Object.entries(limits)) {
    const at = `${path}.${verifier}`;
    if (!verifiers.includes(verifier))
      throw fail(`${at}: is not one of the verifiers; use one of ${verifiers.join(', ')}`);
    if (!isObject(limit)) throw fail(`${at}: must be an object such as {at_least: 0.9}`);
    refuseUnknown(at, limit, limitMembers, fail);
    if (!isWithin(limit.at_least, 1))
      throw fail(`${at}.at_least: must be a number from 0 to 1, such as 0.9`);
    if (limit.by !== undefined && limit.by !== 'value' && limit.by !== 'low')
      throw fail(`${at}.by: must be value or low`);
  }
}

function refuseUnknown(path: string, value: Gate, known: readonly string[], fail: Fail): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined)
    throw fail(`${path}.${other}: is not known; the members are ${known.join(', ')}`);
}

const isWithin = (value: unknown, max: number): boolean =>
  typeof value === 'number' && value >= 0 && value <= max;

const isObject = (value: unknown): value is Gate =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
