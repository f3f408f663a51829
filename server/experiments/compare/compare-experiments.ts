import { setImmediate } from 'node:timers/promises';
import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { type MeanDifference, meanDifference, seedOf } from '../../stats';
import type { CompareBody } from './compare-input';
import { type ComparedItems, listComparedItems } from './compare-items';
import type { ExperimentHead } from './experiment-head';
import { getComparable } from './get-comparable';
import { slugsOf } from './get-experiment';
import { grouped } from './grouped';
import { adjusted, type PairDifference, pairDifference } from './pair-difference';
import { countItems, type PairGroup, readPairs, readResources } from './read-pairs';
import { readTotals, type RunTotals } from './row-counts';
import { type FindRates, readRunRates, type RunRates } from './run-rates';
import type { SliceBy } from './scored-cells';

/** One verifier's results in the baseline and one other run. */
export interface Comparison extends PairDifference {
  readonly slice: string | null;
  readonly verifier: string;
  /** The run that is compared with the baseline. */
  readonly experiment: string;
  /** Of the baseline, then of the other run, over all their items. */
  readonly rates: readonly (RunRates & { readonly experiment: string })[];
  /** Holm over all verifiers, runs and slices of the answer. */
  readonly pAdjusted: number | null;
  readonly scorePAdjusted: number | null;
}

export interface ComparedRun extends ExperimentHead, Pick<RunTotals, 'costUsd' | 'latencyMs'> {
  /** Of the mean per item, in comparison with the baseline; null for the baseline itself. */
  readonly costDifference: MeanDifference | null;
  readonly latencyDifference: MeanDifference | null;
}

export interface ExperimentComparison {
  readonly runs: readonly ComparedRun[];
  readonly comparisons: readonly Comparison[];
  /** Only if requested. */
  readonly slices: readonly Comparison[] | null;
  readonly items: ComparedItems;
}

/**
 * Compares runs of one dataset with the first of them, paired by item. PostgreSQL sums the rows, so
 * that the work here does not grow with them; other work can run between two comparisons.
 * @throws AssayError not_found, refused (another dataset, an unknown verifier), invalid_request
 */
export async function compareExperiments(
  ctx: ProjectCtx,
  input: CompareBody,
): Promise<ExperimentComparison> {
  const heads = await getComparable(ctx, input);
  const { comparisons, slices } = await compareVerifiers(ctx, heads, input);
  return {
    runs: await compareResources(ctx, heads),
    comparisons,
    slices,
    items: await listComparedItems(ctx, input),
  };
}

/** The comparisons alone, without items and resources. */
export async function compareVerifiers(
  ctx: ProjectCtx,
  heads: readonly ExperimentHead[],
  wanted: { readonly verifier?: string | undefined; readonly slice?: SliceBy | undefined },
): Promise<{ readonly comparisons: Comparison[]; readonly slices: Comparison[] | null }> {
  const overall = await differencesOf(ctx, heads, wanted.verifier);
  const parts =
    wanted.slice === undefined
      ? []
      : await differencesOf(ctx, heads, wanted.verifier, wanted.slice);
  const all = [...overall, ...parts];
  const ps = adjusted(all.map(({ p }) => p));
  const scorePs = adjusted(all.map(({ scoreDifference }) => scoreDifference?.p ?? null));
  const done = all.map(
    (each, at): Comparison => ({
      ...each,
      pAdjusted: ps[at] ?? null,
      scorePAdjusted: scorePs[at] ?? null,
    }),
  );
  return {
    comparisons: done.slice(0, overall.length),
    slices: wanted.slice === undefined ? null : done.slice(overall.length),
  };
}

type Found = Omit<Comparison, 'pAdjusted' | 'scorePAdjusted'>;

async function differencesOf(
  ctx: ProjectCtx,
  heads: readonly ExperimentHead[],
  verifier?: string,
  slice?: SliceBy,
): Promise<Found[]> {
  const ids = heads.map(({ id }) => id);
  const wanted = { verifier, ...(slice !== undefined && { slice }) };
  const [ratesOf, groups, counts] = await Promise.all([
    readRunRates(ctx, ids, wanted),
    readPairs(ctx, ids, wanted),
    countItems(ctx, ids, slice),
  ]);
  const byKey = grouped(groups, keyOf);
  const only = verifier === undefined ? null : readVerifierName(verifier).slug;
  const [baseline, ...others] = heads;
  if (baseline === undefined) return [];
  const found: Found[] = [];
  for (const value of slice === undefined ? [null] : [...new Set(counts.map((one) => one.slice))])
    for (const other of others)
      for (const slug of new Set([baseline, other].flatMap(slugsOf))) {
        if (only !== null && slug !== only) continue;
        const of = { slice: value, verifier: slug, experiment: other.id };
        const items =
          counts.find((one) => one.slice === value && one.experiment === other.id)?.items ?? 0;
        found.push(
          differenceOf(byKey.get(keyOf(of)) ?? [], { baseline, other, of, items, ratesOf }),
        );
        await setImmediate();
      }
  return found;
}

const keyOf = ({
  slice,
  verifier,
  experiment,
}: Pick<PairGroup, 'slice' | 'verifier' | 'experiment'>) =>
  JSON.stringify([slice, verifier, experiment]);

function differenceOf(
  groups: readonly PairGroup[],
  {
    baseline,
    other,
    of,
    items,
    ratesOf,
  }: {
    readonly baseline: ExperimentHead;
    readonly other: ExperimentHead;
    readonly of: Pick<Found, 'slice' | 'verifier' | 'experiment'>;
    readonly items: number;
    readonly ratesOf: FindRates;
  },
): Found {
  return {
    ...of,
    rates: [baseline.id, other.id].map((experiment) => ({
      experiment,
      ...ratesOf({ ...of, experiment }).rates,
    })),
    ...pairDifference(groups, {
      items,
      isRepeated: baseline.repetitions > 1 || other.repetitions > 1,
      seed: `${baseline.id} ${keyOf(of)}`,
    }),
  };
}

async function compareResources(
  ctx: ProjectCtx,
  heads: readonly ExperimentHead[],
): Promise<ComparedRun[]> {
  const groups = await readResources(
    ctx,
    heads.map(({ id }) => id),
  );
  const runs: ComparedRun[] = [];
  for (const head of heads) {
    const { costUsd, latencyMs } = await readTotals(ctx, head.id);
    const ofExperiment = groups.filter(({ experiment }) => experiment === head.id);
    const cost = ofExperiment.map((group) => ({ n: group.cost_n, sum: group.cost_sum }));
    const latency = ofExperiment.map((group) => ({ n: group.latency_n, sum: group.latency_sum }));
    const seed = seedOf(`${heads[0]?.id ?? ''} ${head.id}`);
    runs.push({
      ...head,
      costUsd,
      latencyMs,
      costDifference: meanDifference(cost, { seed }),
      latencyDifference: meanDifference(latency, { seed }),
    });
    await setImmediate();
  }
  return runs;
}
