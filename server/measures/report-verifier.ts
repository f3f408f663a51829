import type { ProjectCtx } from '../access';
import { sharesOf } from '../domain';
import { readDrift } from './drift/read-drift';
import { pearson, seedOf } from '../stats';
import { readSliceReach } from './audit-reach';
import { readWeights, withDecided } from './clusters';
import { cellCounts, type CountRow, countsOf } from './cells';
import { correctPassRate } from './corrected-rate';
import { curvesOf, itemsOf, readScoreGroups, type ScoreGroup, currentThreshold } from './curves';
import { readHumanCeiling } from './human-ceiling';
import type { Days, Origin } from './measure-input';
import { measureVerifier, type VerifierDetail } from './measure-verifier';
import { type Counts, measured, noCounts, type Rates, ratesOf } from './rates';
import { readConfidences, reliabilityOf } from './reliability';
import type { CalibrationReport } from './report';
import { alertsOf, correlationOf } from './report-correlation';
import type { Slice } from './report-input';
import { countPending, listOptions } from './report-options';
import { countSlice, readScopePassWeights } from './report-population';
import { type ReportScope, reportRows } from './report-rows';
import { calibrationSummary } from './report-summary';
import { countRetries } from './retries';
import { readSlices, slicesOf } from './slices';

export interface ReportVerifier {
  /** With its version (`task@3`), selects only that version. */
  readonly verifier: string;
  readonly origin: Origin;
  readonly judge?: string | undefined;
  readonly policy?: number | undefined;
  readonly slice?: Slice | undefined;
  readonly days: Days;
}

/**
 * Everything known about how far one verifier can be trusted, for the period that ends now.
 * `docs/reference/measures.md` describes the assumptions.
 * @throws AssayError not_found for a verifier that this release does not have and that has no
 * verdict in the project
 */
export async function reportVerifier(
  ctx: ProjectCtx,
  input: ReportVerifier,
): Promise<CalibrationReport> {
  const to = ctx.clock.now();
  const detail = await measureVerifier(ctx, input);
  const scope: ReportScope = {
    ...input,
    from: detail.from ?? undefined,
    outweighing: detail.outweighing,
  };
  const seed = resamplingSeed(input);
  const [
    counts,
    scores,
    threshold,
    confidences,
    human,
    slices,
    options,
    pending,
    drift,
    retrySuccess,
  ] = await Promise.all([
    countScope(ctx, scope, detail),
    readScoreGroups(ctx, scope),
    currentThreshold(ctx, scope),
    readConfidences(ctx, scope),
    readHumanCeiling(ctx, scope),
    readSlices(ctx, scope),
    listOptions(ctx, scope),
    countPending(ctx, scope),
    input.origin === 'verifier' ? readDrift(ctx, input.verifier) : null,
    retriesOf(ctx, scope, detail),
  ]);
  const rates = { ...ratesOf(counts, { correlation: pearson(pairsOf(scores)) }), retrySuccess };
  const { verifier, origin, kind, outweighing, from } = detail;
  return {
    verifier,
    origin,
    kind,
    counts,
    rates,
    outweighing,
    from,
    to,
    ...options,
    pending,
    contested: counts.contested,
    precision: measured(sharesOf(counts).precision, undefined, counts.weights?.flagged),
    summary: calibrationSummary(counts, seed),
    human,
    corrected: correctPassRate(counts),
    curves: curvesOf(scores, threshold, seed, counts.weights?.agreed),
    reliability: reliabilityOf(confidences, seed),
    correlation: correlationOf(scores, rates, counts.weights?.agreed),
    alerts: alertsOf(rates),
    slices: slicesOf(slices),
    drift,
  };
}

/** The same request uses the same resamples. */
const resamplingSeed = ({ verifier, origin, judge, policy, slice, days }: ReportVerifier) =>
  seedOf(JSON.stringify([verifier, origin, judge, policy, slice, days]));

const pairsOf = (groups: readonly ScoreGroup[]) =>
  itemsOf(groups).map(({ score, bad }) => [score, bad ? 0 : 1] as const);

/**
 * Counts a policy or slice from the rows, except for the total of decided verdicts, labelled or
 * not, which comes from its counters.
 */
async function countScope(
  ctx: ProjectCtx,
  scope: ReportScope,
  { counts: whole }: VerifierDetail,
): Promise<Counts> {
  const { policy, slice } = scope;
  if (policy === undefined && slice === undefined) return whole;
  const [row] = await ctx.sql<
    CountRow[]
  >`select ${cellCounts(ctx)} from (${reportRows(ctx, scope)}) as reported`;
  const [ofLabels] = (await readWeights(ctx, reportRows(ctx, scope))).values();
  const weightsWith = (decided: number | undefined): Counts['weights'] =>
    withDecided(ofLabels, decided);
  const counts = { ...countsOf(row), weights: ofLabels };
  // The rows of imported judges are complete.
  if (scope.origin === 'imported') return counts;
  // A draw without a label has no policy, and a policy filter must not remove it.
  if (slice === undefined)
    return {
      ...counts,
      weights: weightsWith(whole.weights?.decided),
      decided: whole.decided,
      passes: whole.passes,
      drawn: whole.drawn,
      audit: whole.audit,
    };
  const [population, decided, audit, [all]] = await Promise.all([
    countSlice(ctx, scope, slice),
    readScopePassWeights(ctx, scope, slice),
    readSliceReach(ctx, scope, slice),
    ctx.sql<
      CountRow[]
    >`select ${cellCounts(ctx)} from (${reportRows(ctx, scope, ['policy'])}) as reported`,
  ]);
  return {
    ...counts,
    ...population,
    weights: weightsWith(decided),
    drawn: countsOf(all).drawn,
    audit,
  };
}

async function retriesOf(
  ctx: ProjectCtx,
  scope: ReportScope,
  { rates }: VerifierDetail,
): Promise<Rates['retrySuccess']> {
  if (scope.slice === undefined || scope.origin === 'imported') return rates.retrySuccess;
  const [retries] = (await countRetries(ctx, scope, scope.slice)).values();
  return ratesOf(noCounts, { retries }).retrySuccess;
}
