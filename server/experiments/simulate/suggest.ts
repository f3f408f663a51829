import { setImmediate as breathe } from 'node:timers/promises';
import { type Share, sharesOf, shareValue, wilson } from '../../domain';
import { youden } from '../../stats';
import type { ItemWeights } from '../../measures';
import type { History } from './history';
import { faultOfValue, type PlannedSimulation } from './plan-simulation';
import { minForSuggestion } from './simulate-input';
import type { ThresholdSuggestion } from './simulation';
import {
  decideAll,
  outcomeCost,
  type SimulationPrices,
  type OutcomeTally,
  tallyOf,
  withCandidate,
} from './tally';

/** The targets of SOAR-26 and SOAR-27. */
const catchTarget = 0.7;
const falsePositiveTarget = 0.1;
/** Limit for Wilson's upper bound of the false rejections of good work (calibration.md 5.5). */
const falseRejectionLimit = 0.1;

/**
 * Candidate values are hundredths of the scale, or twentieths if each requires deciding more than
 * this number of distinct verdicts.
 */
const manyGroups = 20_000;

interface Candidate {
  readonly value: number;
  /** Tallies of the half used for the choice, and of the half held out from it. */
  readonly developmentTally: OutcomeTally;
  readonly testTally: OutcomeTally;
}

/**
 * Suggests values (SOAR-33, SOAR-34, calibration.md 5.5). Each is chosen on the development part of
 * the labels, and suggested only if the held-out test part agrees. There, Youden's J is above 0,
 * and the value is better than the current one by its own criterion (`isBetter`). Among equally
 * good values it chooses the highest. Requires 100 labelled verdicts.
 */
export async function suggestThresholds(
  trial: PlannedSimulation,
  history: History,
  base: OutcomeTally,
  prices: SimulationPrices,
): Promise<readonly ThresholdSuggestion[]> {
  if (base.labelled < minForSuggestion) return [];
  const now = tryValue(trial, history, trial.current);
  const candidates = await tryScale(trial, history);
  const bothClasses = candidates.filter(({ developmentTally }) => hasBoth(developmentTally));
  // Rates cover only decided verdicts and would favour a value that leaves more to people than the
  // current one.
  const decides = bothClasses.filter(
    ({ developmentTally }) =>
      developmentTally.reviews <=
      now.developmentTally.reviews + leftMore * developmentTally.labelled,
  );
  const chosen: Readonly<Record<ThresholdSuggestion['rule'], Candidate | undefined>> = {
    ...nearest(candidates, trial.current),
    least_cost: highestOf(
      bothClasses,
      ({ developmentTally }) => -outcomeCost(developmentTally, prices),
    ),
    max_youden: highestOf(decides, ({ developmentTally }) => youden(developmentTally) ?? -1),
    catch_within_limit: highestOf(
      decides.filter((each) => isWithinLimit(each, history.weights)),
      ({ developmentTally }) => shareValue(sharesOf(developmentTally).catchRate) ?? 0,
    ),
  };
  return rules.flatMap((rule): ThresholdSuggestion[] => {
    const why = whyOf(rule, base, prices);
    const value = chosen[rule];
    if (why === null) return [];
    if (
      value === undefined ||
      value.value === trial.current ||
      !isBetter(rule, value.testTally, now.testTally, prices)
    ) {
      return isDirection(rule)
        ? [{ rule, value: null, direction: directionOf[rule], why: `${why} ${noValue}` }]
        : [];
    }
    const direction = value.value < trial.current ? 'lower' : 'raise';
    return [
      {
        rule,
        value: value.value,
        direction,
        why: [
          why,
          detailOf(rule, value, now, prices),
          onHeldOut(value.testTally, history.weights),
        ].join(' '),
      },
    ];
  });
}

const rules = [
  'false_positives',
  'false_negatives',
  'least_cost',
  'max_youden',
  'catch_within_limit',
] as const;
const directionOf = { false_positives: 'lower', false_negatives: 'raise' } as const;
const isDirection = (rule: ThresholdSuggestion['rule']): rule is keyof typeof directionOf =>
  rule in directionOf;
const noValue =
  'No value of this threshold alone meets the goal and does better on the held-out half.';
/**
 * Share of the labelled verdicts that a suggested value may send to people, in addition to the
 * current value.
 */
const leftMore = 0.05;

const hasBoth = (tally: OutcomeTally): boolean =>
  tally.caught + tally.missed > 0 && tally.rejected + tally.passed > 0;

/** Checks the upper end of Wilson's interval of the false rejections of good work. */
function isWithinLimit({ developmentTally }: Candidate, { good }: ItemWeights): boolean {
  const { numerator, denominator } = sharesOf(developmentTally).falseRejectionRate;
  return wilson(numerator * good, denominator * good).high <= falseRejectionLimit;
}

/**
 * Checks on the held-out half that flags separate bad from good at all, and that the value is
 * better by its own criterion.
 */
function isBetter(
  rule: ThresholdSuggestion['rule'],
  after: OutcomeTally,
  before: OutcomeTally,
  prices: SimulationPrices,
): boolean {
  const j = youden(after);
  if (j === null || j <= 0) return false;
  const [own, old] = [sharesOf(after), sharesOf(before)];
  const higher = (of: keyof typeof own): boolean =>
    (shareValue(own[of]) ?? 0) > (shareValue(old[of]) ?? 0);
  switch (rule) {
    case 'false_positives':
      return (shareValue(own.falsePositiveRate) ?? 1) < (shareValue(old.falsePositiveRate) ?? 1);
    case 'false_negatives':
      return higher('catchRate');
    case 'catch_within_limit':
      return higher('catchRate');
    case 'least_cost':
      return outcomeCost(after, prices) < outcomeCost(before, prices);
    case 'max_youden':
      return j > (youden(before) ?? 0);
  }
}

/** The tested values nearest to the current one that reach a target, in ascending order. */
function nearest(
  candidates: readonly Candidate[],
  current: number,
): Record<keyof typeof directionOf, Candidate | undefined> {
  const shareAt = (
    { developmentTally }: Candidate,
    of: 'falsePositiveRate' | 'catchRate',
  ): number | null => shareValue(sharesOf(developmentTally)[of]);
  return {
    false_positives: candidates.findLast(
      (each) =>
        each.value < current && (shareAt(each, 'falsePositiveRate') ?? 1) <= falsePositiveTarget,
    ),
    false_negatives: candidates.find(
      (each) => each.value > current && (shareAt(each, 'catchRate') ?? 0) >= catchTarget,
    ),
  };
}

/** The value with the greatest score; in a tie, the highest value. */
function highestOf(
  candidates: readonly Candidate[],
  scoreOf: (one: Candidate) => number,
): Candidate | undefined {
  const max = Math.max(...candidates.map(scoreOf));
  return candidates.findLast((each) => scoreOf(each) === max);
}

/** The reason by SOAR-34 in the terms of X-1; null if the current rates have none. */
function whyOf(
  rule: ThresholdSuggestion['rule'],
  base: OutcomeTally,
  prices: SimulationPrices,
): string | null {
  const { falsePositiveRate: wrong, catchRate } = sharesOf(base);
  switch (rule) {
    case 'false_positives':
      return (shareValue(wrong) ?? 0) <= falsePositiveTarget
        ? null
        : `Many good subjects are rejected: ${wrong.numerator} of ${wrong.denominator} verdicts are false rejections, and 10% is the target. A lower threshold rejects fewer.`;
    case 'false_negatives':
      return (shareValue(catchRate) ?? 1) >= catchTarget
        ? null
        : `Many failures are missed: ${base.missed} of ${catchRate.denominator} bad subjects passed, and catching 70% is the target. A higher threshold catches more.`;
    case 'least_cost':
      return `By the prices given (${prices.missed}, ${prices.rejected} and ${prices.review}) it costs least on the half that it was chosen on.`;
    case 'max_youden':
      return 'It separates good and bad best (catch rate less false-rejection rate, Youden).';
    case 'catch_within_limit':
      return 'It catches most while at most 10% of the good subjects are rejected, by the upper end of the interval.';
  }
}

function detailOf(
  rule: ThresholdSuggestion['rule'],
  { value, testTally }: Candidate,
  now: Candidate,
  prices: SimulationPrices,
): string {
  if (isDirection(rule)) return `The nearest value that gets there is ${value}.`;
  const [cost, costNow] = [outcomeCost(testTally, prices), outcomeCost(now.testTally, prices)].map(
    (each) => Math.round(each * 100) / 100,
  );
  return `On the other half it costs ${cost}, and the current one ${costNow}.`;
}

async function tryScale(trial: PlannedSimulation, history: History): Promise<readonly Candidate[]> {
  const { min, max } = trial.known;
  const steps = history.groups.length > manyGroups ? 20 : 100;
  const values = Array.from(
    { length: steps + 1 },
    (_, n) => Math.round((min + ((max - min) * n) / steps) * 10_000) / 10_000,
  );
  const candidates: Candidate[] = [];
  for (const value of values.filter((each) => faultOfValue(trial, each) === null)) {
    await breathe();
    candidates.push(tryValue(trial, history, value));
  }
  return candidates;
}

function tryValue(trial: PlannedSimulation, { groups }: History, value: number): Candidate {
  const decisions = decideAll(
    groups,
    trial.verifier,
    withCandidate(trial.stored, trial.key, trial, value),
  );
  return {
    value,
    developmentTally: tallyOf(groups, decisions, 'development'),
    testTally: tallyOf(groups, decisions, 'test'),
  };
}

/** Describes the numbers of the held-out half. */
function onHeldOut(tally: OutcomeTally, weights: ItemWeights): string {
  const { catchRate, falseRejectionRate } = sharesOf(tally);
  const caught = shareText(catchRate, weights.bad);
  const rejected = shareText(falseRejectionRate, weights.good);
  return `On the held-out half: catch rate ${caught}, false rejections ${rejected} of the good subjects; ${tally.reviews} of ${tally.labelled} are left to people.`;
}

function shareText({ numerator: k, denominator: n }: Share, weight: number): string {
  if (n === 0) return 'no data';
  const { low, high } = wilson(k * weight, n * weight);
  return `${k} of ${n} (${percent(low)} to ${percent(high)}%)`;
}

const percent = (rate: number): number => Math.round(rate * 100);
