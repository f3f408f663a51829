import { setImmediate as breathe } from 'node:timers/promises';
import type { ProjectCtx } from '../../access';
import type { Rederived } from '../../verifiers';
import { noCounts, ratesOf, measureShare } from '../../measures';
import { flipsAmong, readFlips } from './flipped';
import { type History, readLabelledHistory, readRecentVerdicts, type Recent } from './history';
import { faultOfValue, planSimulation, type PlannedSimulation } from './plan-simulation';
import { labelledHistogram } from './labelled-histogram';
import type { SimulateBody } from './simulate-input';
import type { ThresholdCandidate, Flip, Simulation } from './simulation';
import { suggestThresholds } from './suggest';
import {
  decideAll,
  flips,
  outcomeCost,
  rightOf,
  type SimulationPrices,
  tallyOf,
  withCandidate,
} from './tally';

/**
 * Decides the labelled verdicts of a scope again, once with the current thresholds and once with
 * each candidate, all else being equal. Values of narrower scopes and values given in a call take
 * precedence over the candidate (VS-33). Reads stored measurements, calls no model and changes
 * nothing. Yields to the event loop between values.
 * @throws AssayError not_found (no such verifier or key)
 */
export async function simulateThreshold(
  ctx: ProjectCtx,
  {
    verifier,
    key,
    body,
  }: { readonly verifier: string; readonly key: string; readonly body: SimulateBody },
): Promise<Simulation> {
  const trial = await planSimulation(ctx, { verifier, key, ...body });
  const none: Recent = { groups: [] };
  const [history, recent] = await Promise.all([
    readLabelledHistory(ctx, trial),
    body.labelled_only ? none : readRecentVerdicts(ctx, trial),
  ]);
  const simulated = tryValues(trial, history, recent, body.prices);
  const base = simulated(trial.current);
  const candidates: ReturnType<typeof simulated>[] = [];
  for (const value of body.values) {
    await breathe();
    candidates.push(simulated(value));
  }
  const samples = candidates.map(({ flipped }) => flipped.slice(0, body.sample));
  const read = await readFlips(ctx, samples.flat());
  const { good, bad, labelled } = base.tally;
  return {
    verifier,
    key,
    scope: { missionId: trial.missionId, taskId: trial.taskId },
    from: trial.from ?? null,
    to: ctx.clock.now(),
    current: trial.current,
    labelled,
    good,
    bad,
    looked: recent.groups.reduce((sum, { count }) => sum + count, 0),
    unknown: history.unknown,
    recorded: recordedRates(history),
    base: base.candidate([]),
    candidates: candidates.map(({ candidate }, i) =>
      candidate((samples[i] ?? []).flatMap((each) => read(each) ?? [])),
    ),
    histogram: labelledHistogram(trial.known, history.scores, labelled),
    suggestions: await suggestThresholds(trial, history, base.tally, body.prices),
  };
}

function recordedRates({ recorded, weights }: History): Simulation['recorded'] {
  const { catchRate, falsePositiveRate, falseRejectionRate } = ratesOf({
    ...noCounts,
    ...recorded,
    weights,
  });
  return { catchRate, falsePositiveRate, falseRejectionRate };
}

/** Number of the newest flips collected for each value. */
const sampleMax = 20;

function tryValues(
  trial: PlannedSimulation,
  history: History,
  recent: Recent,
  prices: SimulationPrices,
) {
  const { verifier, key, stored } = trial;
  const before = decideAll(history.groups, verifier, stored);
  const recentBefore = decideAll(recent.groups, verifier, stored);
  return (value: number) => {
    const fault = faultOfValue(trial, value);
    const values = fault === null ? withCandidate(stored, key, trial, value) : stored;
    const after = decideAll(history.groups, verifier, values);
    const tally = tallyOf(history.groups, after);
    const recentAfter = decideAll(recent.groups, verifier, values);
    const all =
      fault === null ? countFlips(recent, recentBefore, recentAfter) : { flipped: 0, looked: 0 };
    const flipped = fault === null ? flipsAmong(history.groups, before, after, sampleMax) : [];
    const { caught, missed, rejected, passed, labelled, reviews } = tally;
    const matrix =
      fault === null
        ? { caught, missed, rejected, passed }
        : { caught: 0, missed: 0, rejected: 0, passed: 0 };
    const rates = ratesOf({ ...noCounts, ...matrix, weights: history.weights });
    const candidate = (sample: readonly Flip[]): ThresholdCandidate => ({
      value,
      fault,
      flips: { ...sumFlips(history, before, after), sample },
      flipsOfAll: measureShare(all.flipped, all.looked),
      matrix,
      catchRate: rates.catchRate,
      falsePositiveRate: rates.falsePositiveRate,
      falseRejectionRate: rates.falseRejectionRate,
      reviewLoad: fault === null ? measureShare(reviews, labelled) : measureShare(0, 0),
      cost: fault === null ? outcomeCost(tally, prices) : 0,
    });
    return { tally, flipped, candidate };
  };
}

function countFlips(
  { groups }: Recent,
  before: readonly Rederived[],
  after: readonly Rederived[],
): { readonly flipped: number; readonly looked: number } {
  let [flipped, looked] = [0, 0];
  for (let i = 0; i < groups.length; i++) {
    const one = before[i];
    const other = after[i];
    const count = groups[i]?.count ?? 0;
    looked += count;
    if (one !== undefined && other !== undefined && flips(one, other)) flipped += count;
  }
  return { flipped, looked };
}

/** `toReview` counts verdicts no longer passed or failed, which a person must decide. */
function sumFlips(
  { groups }: History,
  before: readonly Rederived[],
  after: readonly Rederived[],
): Omit<ThresholdCandidate['flips'], 'sample'> {
  const sums = { total: 0, toPassed: 0, toFailed: 0, toReview: 0, better: 0, worse: 0 };
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    const one = before[i];
    const other = after[i];
    if (group === undefined || one === undefined || other === undefined || !flips(one, other))
      continue;
    const { good } = group;
    const n = group.items.length;
    sums.total += n;
    if (one.outcome !== other.outcome) {
      if (other.outcome === 'passed') sums.toPassed += n;
      else if (other.outcome === 'failed') sums.toFailed += n;
      else sums.toReview += n;
    }
    const [wasRight, isRight] = [rightOf(one, good), rightOf(other, good)];
    if (isRight === true && wasRight !== true) sums.better += n;
    if (isRight === false && wasRight !== false) sums.worse += n;
  }
  return sums;
}
