import { setImmediate as breathe } from 'node:timers/promises';
import { wilson } from '../../domain';
import { bestYouden, gateThreshold, type ThresholdPoint } from '../stats/curves';
import type { History } from './history';
import { faultOfValue, type PlannedTrial } from './plan-trial';
import { leastForSuggestion } from './simulate-input';
import type { ThresholdSuggestion } from './simulation';
import { decideAll, priceOf, type SimulationPrices, type Tally, tallyOf, withCandidate } from './tally';

/** SOAR-26 and SOAR-27: what is aimed at. */
const catchTarget = 0.7;
const falsePositiveTarget = 0.1;
/** Wilson's upper bound of the false rejections of good ones stays within it (calibration.md 5.5). */
const falseRejectionLimit = 0.1;

/** Values tried along the scale: hundredths of it, or twentieths where more than this many different verdicts have to be decided for each. */
const manyGroups = 20_000;

interface Tried {
  readonly value: number;
  /** Of the half that the value is chosen on, and of the half that had no part in it. */
  readonly chosenOn: Tally;
  readonly toldFor: Tally;
}

/**
 * Values that history speaks for (SOAR-33, SOAR-34, calibration.md 5.5). Each is chosen on the development part of the labels, and its numbers are told
 * for the test part; of values that are equally good the highest is taken. What would change nothing is not suggested. From 100 labelled verdicts on.
 */
export async function suggestThresholds(
  trial: PlannedTrial,
  history: History,
  base: Tally,
  prices: SimulationPrices,
): Promise<readonly ThresholdSuggestion[]> {
  if (base.labelled < leastForSuggestion) return [];
  const tried = await tryScale(trial, history);
  const now = tryValue(trial, history, trial.current);
  const found: ThresholdSuggestion[] = [...directions(base, tried, trial.current)];
  const add = (rule: ThresholdSuggestion['rule'], chosen: Tried | undefined, why: (tally: Tally, before: Tally) => string): void => {
    if (chosen === undefined || chosen.value === trial.current || sameNumbers(chosen, now)) return;
    const direction = chosen.value < trial.current ? 'lower' : 'raise';
    found.push({ rule, value: chosen.value, direction, why: `${why(chosen.toldFor, now.toldFor)} ${onHeldOut(chosen.toldFor)}` });
  };
  const points = tried.map(pointOf);
  const at = (point: ThresholdPoint | null): Tried | undefined => tried.find(({ value }) => value === point?.threshold);
  add('least_cost', leastCost(tried, prices), (after, before) => {
    const [cost, costNow] = [priceOf(after, prices), priceOf(before, prices)].map((each) => Math.round(each * 100) / 100);
    return `By the prices given it costs least on the half that it was chosen on; on the other half it costs ${cost}, and the one in force ${costNow}.`;
  });
  add('max_youden', at(bestYouden(points)), () => 'It tells good and bad apart best (catch rate less false-rejection rate, Youden).');
  add(
    'catch_within_limit',
    at(gateThreshold(points, falseRejectionLimit)),
    () => 'It catches most while at most 10 % of the good ones are rejected, by the upper end of the interval.',
  );
  return found;
}

async function tryScale(trial: PlannedTrial, history: History): Promise<readonly Tried[]> {
  const { least, most } = trial.known;
  const steps = history.groups.length > manyGroups ? 20 : 100;
  const values = Array.from({ length: steps + 1 }, (_, n) => Math.round((least + ((most - least) * n) / steps) * 10_000) / 10_000);
  const tried: Tried[] = [];
  for (const value of values.filter((each) => faultOfValue(trial, each) === null)) {
    await breathe();
    tried.push(tryValue(trial, history, value));
  }
  return tried;
}

function tryValue(trial: PlannedTrial, { groups }: History, value: number): Tried {
  const decisions = decideAll(groups, trial.verifier, withCandidate(trial.stored, trial.key, trial, value));
  return { value, chosenOn: tallyOf(groups, decisions, 'development'), toldFor: tallyOf(groups, decisions, 'test') };
}

/** SOAR-34, in the words of X-1: many good ones rejected speak for a lower threshold, many bad ones missed for a higher one. */
function directions(base: Tally, tried: readonly Tried[], current: number): ThresholdSuggestion[] {
  const found: ThresholdSuggestion[] = [];
  const labelled = base.caught + base.missed + base.rejected + base.passed;
  const bad = base.caught + base.missed;
  const rejectedOf = ({ chosenOn: c }: Tried): number => c.rejected / Math.max(1, c.caught + c.missed + c.rejected + c.passed);
  const caughtOf = ({ chosenOn: c }: Tried): number => (c.caught + c.missed === 0 ? 0 : c.caught / (c.caught + c.missed));
  if (labelled > 0 && base.rejected / labelled > falsePositiveTarget) {
    const nearest = tried.filter((each) => each.value < current && rejectedOf(each) <= falsePositiveTarget).at(-1);
    const why = `Many good ones are rejected: ${base.rejected} of ${labelled} verdicts are false rejections, and 10 % is aimed at. A lower threshold rejects fewer.`;
    found.push(withValue('false_positives', 'lower', nearest, why));
  }
  if (bad > 0 && base.caught / bad < catchTarget) {
    const nearest = tried.find((each) => each.value > current && caughtOf(each) >= catchTarget);
    const why = `Many failures are missed: ${base.missed} of ${bad} bad ones passed, and catching 70 % is aimed at. A higher threshold catches more.`;
    found.push(withValue('false_negatives', 'raise', nearest, why));
  }
  return found;
}

function withValue(
  rule: ThresholdSuggestion['rule'],
  direction: ThresholdSuggestion['direction'],
  nearest: Tried | undefined,
  why: string,
): ThresholdSuggestion {
  if (nearest === undefined) return { rule, value: null, direction, why: `${why} No value of this threshold alone gets there.` };
  return {
    rule,
    value: nearest.value,
    direction,
    why: `${why} The nearest value that gets there is ${nearest.value}. ${onHeldOut(nearest.toldFor)}`,
  };
}

/** What is neither passed nor failed is not caught, and not rejected: shares of all bad and all good, so that values can be compared. */
function pointOf({ value, chosenOn: { caught, rejected, bad, good } }: Tried): ThresholdPoint {
  return { threshold: value, caught, missed: bad - caught, rejected, passed: good - rejected };
}

/** Null where one class is absent: then the end of the scale would always be cheapest. */
function leastCost(tried: readonly Tried[], prices: SimulationPrices): Tried | undefined {
  const whole = tried.filter(({ chosenOn }) => chosenOn.bad > 0 && chosenOn.good > 0);
  const least = Math.min(...whole.map(({ chosenOn }) => priceOf(chosenOn, prices)));
  return whole.findLast(({ chosenOn }) => priceOf(chosenOn, prices) === least);
}

function sameNumbers(one: Tried, other: Tried): boolean {
  return (['caught', 'missed', 'rejected', 'passed', 'reviews'] as const).every((name) => one.chosenOn[name] === other.chosenOn[name]);
}

/** The numbers of the half that had no part in the choice. */
function onHeldOut({ caught, missed, rejected, passed }: Tally): string {
  return `On the half held out: catch rate ${shareText(caught, caught + missed)}, false rejections ${shareText(rejected, rejected + passed)} of the good ones.`;
}

function shareText(k: number, n: number): string {
  if (n === 0) return 'no data';
  const { low, high } = wilson(k, n);
  return `${k} of ${n} (${percent(low)} to ${percent(high)} %)`;
}

const percent = (rate: number): number => Math.round(rate * 100);
