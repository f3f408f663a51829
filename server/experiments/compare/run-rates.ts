import type { ProjectCtx } from '../../access';
import { itemWeight, minSampleSize, readVerifierName } from '../../domain';
import {
  type Counts,
  type Measure,
  measureShare,
  measureVerifiers,
  noCounts,
} from '../../measures';
import { complement, correctionFor, estimated } from '../../stats';
import { joinByHash } from './join-by-hash';
import { scoredCells, type SliceBy, slicedItems } from './scored-cells';

/** The rates of one verifier in one run. Items are the clusters of their repetitions. */
export interface RunRates {
  readonly passRate: Measure;
  /**
   * By the verifier's errors on live labels; as in other measures, without a numerator, and the
   * denominator counts labels.
   */
  readonly correctedPassRate: Measure;
  /** The numerator is the sum of the scores. */
  readonly meanScore: Measure;
}

/** Sums over the items of one slice, verifier and experiment. */
interface Tally {
  slice: string | null;
  verifier: string;
  experiment: string;
  verdicts: number;
  inconclusive: number;
  clusters: number;
  n: number;
  x: number;
  nn: number;
  xn: number;
  xx: number;
  score_clusters: number;
  sn: number;
  ss: number;
  snn: number;
  ssn: number;
  sss: number;
}

export interface RatedRun {
  /** Verdicts of any outcome, and those of a verifier that could not judge. */
  readonly verdicts: number;
  readonly inconclusive: number;
  readonly rates: RunRates;
}

export type FindRates = (of: {
  readonly experiment: string;
  readonly verifier: string;
  readonly slice?: string | null;
}) => RatedRun;

/** The rates of runs by experiment, verifier (a slug) and slice. */
export async function readRunRates(
  ctx: ProjectCtx,
  ids: readonly string[],
  { verifier, slice }: { readonly verifier?: string | undefined; readonly slice?: SliceBy } = {},
): Promise<FindRates> {
  const [tallies, errors] = await Promise.all([
    readTallies(ctx, ids, { verifier, slice }),
    readErrors(ctx, verifier),
  ]);
  const found = new Map(tallies.map((tally) => [keyOf(tally), tally]));
  return ({ experiment, verifier: slug, slice: value = null }) => {
    const tally = found.get(keyOf({ experiment, verifier: slug, slice: value })) ?? noTally;
    const { verdicts, inconclusive } = tally;
    return { verdicts, inconclusive, rates: ratesOf(tally, errors.get(slug) ?? noCounts) };
  };
}

const keyOf = ({ experiment, verifier, slice }: Pick<Tally, 'experiment' | 'verifier' | 'slice'>) =>
  JSON.stringify([experiment, verifier, slice]);

const noTally: Omit<Tally, 'slice' | 'verifier' | 'experiment'> = {
  verdicts: 0,
  inconclusive: 0,
  clusters: 0,
  n: 0,
  x: 0,
  nn: 0,
  xn: 0,
  xx: 0,
  score_clusters: 0,
  sn: 0,
  ss: 0,
  snn: 0,
  ssn: 0,
  sss: 0,
};

/** The measured errors of verifiers on live data, by slug. */
async function readErrors(
  ctx: ProjectCtx,
  verifier: string | undefined,
): Promise<ReadonlyMap<string, Counts>> {
  const slug = verifier === undefined ? undefined : readVerifierName(verifier).slug;
  const measured = await measureVerifiers(ctx, slug === undefined ? {} : { verifier: slug });
  return new Map(
    measured.flatMap((each) =>
      each.origin === 'verifier' ? [[each.verifier, each.counts] as const] : [],
    ),
  );
}

function readTallies(
  ctx: ProjectCtx,
  ids: readonly string[],
  {
    verifier,
    slice,
  }: { readonly verifier: string | undefined; readonly slice?: SliceBy | undefined },
): Promise<readonly Tally[]> {
  return joinByHash(
    ctx,
    (tx) => tx<Tally[]>`
    with ${scoredCells(ctx, ids, verifier)}, ${slicedItems(ctx, ids, slice)}
    select s.value as slice, c.verifier, c.experiment_id as experiment, sum(c.verdicts)::int as verdicts,
      sum(c.inconclusive)::int as inconclusive,
      count(*) filter (where n > 0)::int as clusters, sum(n)::int as n, sum(k)::int as x,
      sum(n * n)::float8 as nn, sum(k * n)::float8 as xn, sum(k * k)::float8 as xx,
      count(*) filter (where sn > 0)::int as score_clusters, sum(sn)::int as sn,
      coalesce(sum(ss order by c.item_id), 0) as ss, sum(sn * sn)::float8 as snn,
      coalesce(sum(ss * sn order by c.item_id), 0) as ssn,
      coalesce(sum(ss * ss order by c.item_id), 0) as sss
    from cells c join sliced s on s.item_id = c.item_id group by 1, 2, 3`,
  );
}

type Sums = Omit<Tally, 'slice' | 'verifier' | 'experiment'>;

function ratesOf(tally: Sums, errors: Counts): RunRates {
  const weight = tally.n === 0 ? 1 : itemWeight(tally);
  return {
    passRate: measureShare(tally.x, tally.n, undefined, weight),
    correctedPassRate: correctedOf(tally, weight, errors),
    meanScore: meanOf(tally),
  };
}

const noCell = { n: 0, weight: 0, square: 0 } as const;
const noSample = { caught: noCell, missed: noCell, rejected: noCell, passed: noCell };

/** Rogan and Gladen's estimate; the live labels are not a sample of the experiment's outputs. */
function correctedOf({ n, x }: Sums, weight: number, errors: Counts): Measure {
  // The number of independent items with the same precision.
  const turned = { flagged: (n - x) * weight, decided: n * weight };
  const { roganGladen } = correctionFor({
    sample: noSample,
    matrix: errors,
    ...turned,
    all: turned,
    turned,
    queued: errors.queued,
    weights: errors.weights,
  });
  const labels = errors.caught + errors.missed + errors.rejected + errors.passed;
  if (roganGladen === null)
    return {
      value: null,
      numerator: null,
      denominator: 0,
      low: null,
      high: null,
      state: 'no_data',
    };
  const { value, low, high } = complement(roganGladen);
  const state = Math.min(labels, n) < minSampleSize ? 'insufficient' : 'on_target';
  return { value, numerator: null, denominator: labels, low, high, state };
}

/** With the cluster-robust variance of calibration.md 5.1, from the sums of the clusters. */
function meanOf({ score_clusters: g, sn, ss, snn, ssn, sss }: Sums): Measure {
  if (sn === 0)
    return { value: null, numerator: 0, denominator: 0, low: null, high: null, state: 'no_data' };
  const mean = ss / sn;
  const spread = Math.max(0, sss - 2 * mean * ssn + mean * mean * snn);
  const interval =
    g < 2
      ? { low: null, high: null }
      : estimated(mean, Math.sqrt(((g / (g - 1)) * spread) / (sn * sn)));
  return {
    value: mean,
    numerator: ss,
    denominator: sn,
    // Scores are from 0 to 1.
    low: interval.low === null ? null : Math.max(0, interval.low),
    high: interval.high === null ? null : Math.min(1, interval.high),
    state: sn < minSampleSize ? 'insufficient' : 'on_target',
  };
}
