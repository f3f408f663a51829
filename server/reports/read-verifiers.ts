import type { ProjectCtx } from '../access';
import { rateDifference, readVerifierName, sharesOf, type Share } from '../domain';
import {
  correctPassRate,
  countPending,
  type Counts,
  type Drift,
  findLimitedAccounts,
  measured,
  measureVerifiers,
  noCounts,
  readDrift,
  readHumanCeiling,
  type VerifierMeasures,
} from '../measures';
import { type BeforeShare, ReportedVerifier } from './report-content';

/** The period of a report; `to` is exclusive. */
export interface ReportPeriod {
  readonly from: Date;
  readonly to: Date;
  /** Start of the previous period of equal length. */
  readonly before: Date;
}

export function periodOf(from: Date, to: Date): ReportPeriod {
  return { from, to, before: new Date(from.getTime() - (to.getTime() - from.getTime())) };
}

const nothing = { value: null, low: null, high: null, n: 0 } as const;

/**
 * The project's own verifiers with a decision or truth in this or the previous period, by name,
 * without their costs and individual details (`describeVerifier`).
 */
export async function readVerifiers(
  ctx: ProjectCtx,
  { from, to, before }: ReportPeriod,
): Promise<ReportedVerifier[]> {
  const [now, earlier, trust] = await Promise.all([
    measureVerifiers(ctx, { from, to }),
    measureVerifiers(ctx, { from: before, to: from }),
    readTrust(ctx),
  ]);
  const isOwnVerifier = ({ origin }: VerifierMeasures): boolean => origin === 'verifier';
  const old = new Map(earlier.filter(isOwnVerifier).map((each) => [each.verifier, each.counts]));
  return now
    .filter(isOwnVerifier)
    .map((each) =>
      reportedOf(
        each,
        old.get(each.verifier) ?? noCounts,
        trust.get(readVerifierName(each.verifier).slug),
      ),
    )
    .filter(isSeen);
}

/** Omits verifiers without verdicts, truths and retries in both periods. */
function isSeen({ rates, before, undecided, contested }: ReportedVerifier): boolean {
  const counted = [
    rates.pass_rate,
    rates.agreement,
    rates.retry_success,
    before.pass_rate,
    before.catch_rate,
    before.false_rejection_rate,
  ];
  return undecided + contested > 0 || counted.some(({ denominator }) => denominator > 0);
}

function reportedOf(
  measures: VerifierMeasures,
  old: Counts,
  trust: ReportedVerifier['trust'] | undefined,
): ReportedVerifier {
  const { verifier, kind, counts, rates, outweighing } = measures;
  const { caught, missed, rejected, passed } = counts;
  const [shares, oldShares] = [sharesOf(counts), sharesOf(old)];
  const { shown, why, disagree } = correctPassRate(counts);
  return {
    verifier,
    kind,
    trust: trust ?? { state: 'unmeasured', version: null, judge: null, gaps: [] },
    matrix: { caught, missed, false_rejections: rejected, right_passes: passed },
    undecided: counts.undecided,
    contested: counts.contested,
    pending: 0,
    rates: {
      pass_rate: rates.passRate,
      corrected_pass_rate: rates.correctedPassRate,
      catch_rate: rates.catchRate,
      false_rejection_rate: rates.falseRejectionRate,
      false_positive_rate: rates.falsePositiveRate,
      retry_success: rates.retrySuccess,
      agreement: rates.agreement,
      kappa: rates.kappa,
      override_rate: rates.overrideRate,
      correlation: rates.correlation,
    },
    corrected: { shown, why, disagree },
    human: { items: 0, raters: 0, alpha: nothing, kappa: nothing },
    before: {
      pass_rate: comparedShare(passShare(counts), passShare(old)),
      catch_rate: comparedShare(
        { ...shares.catchRate, weight: counts.weights?.bad },
        { ...oldShares.catchRate, weight: old.weights?.bad },
      ),
      false_rejection_rate: comparedShare(
        { ...shares.falseRejectionRate, weight: counts.weights?.good },
        { ...oldShares.falseRejectionRate, weight: old.weights?.good },
      ),
    },
    drift: null,
    cost: noCost,
    caught_cost: {
      flagged: counts.decided - counts.passes,
      precision: measured(shares.precision, undefined, counts.weights?.flagged),
      caught: null,
      usd: null,
    },
    outweighing: outweighing.map((each) => ({
      by: each.account,
      rulings: each.rulings,
      overruled: each.overruled,
      counted: each.counted,
      others: each.others,
      others_overruled: each.othersOverruled,
    })),
  };
}

const noCost: ReportedVerifier['cost'] = {
  verdicts: 0,
  verifying_usd: 0,
  unpriced: 0,
  judge_calls: 0,
  tokens: 0,
  costed: 0,
  work_usd: 0,
  verifying_costed_usd: 0,
  share: null,
  over_budget: 0,
};

const passShare = ({ passes, decided, weights }: Counts): Share => ({
  numerator: passes,
  denominator: decided,
  weight: weights?.decided,
});

export const comparedShare = (now: Share, before: Share): BeforeShare => ({
  numerator: before.numerator,
  denominator: before.denominator,
  difference: rateDifference(now, before),
});

/**
 * Adds the parts that need the rows of one verifier: the human ceiling, the drift by the end of the
 * period, and labels not counted yet.
 */
export async function describeVerifier(
  ctx: ProjectCtx,
  { from, to }: ReportPeriod,
  reported: ReportedVerifier,
): Promise<ReportedVerifier> {
  const { verifier } = reported;
  const scope = {
    verifier,
    origin: 'verifier' as const,
    from,
    to,
    outweighing: await findLimitedAccounts(ctx, verifier),
  };
  const [human, drift, pending] = await Promise.all([
    readHumanCeiling(ctx, scope),
    readDrift(ctx, verifier, { until: to }),
    countPending(ctx, scope),
  ]);
  const { items, raters, alpha, machine } = human;
  return {
    ...reported,
    pending,
    human: { items, raters, alpha, kappa: machine },
    drift: drift === null ? null : driftOf(drift),
  };
}

function driftOf({
  set,
  before,
  after,
  flips,
  better,
  worse,
  p,
  headline,
  judgePart,
  systemPart,
}: Drift): ReportedVerifier['drift'] {
  const run = ({ at, ...rest }: Drift['before']) => ({ ...rest, at: at.toISOString() });
  return {
    set,
    before: run(before),
    after: run(after),
    flips,
    better,
    worse,
    p,
    headline,
    judge_part: judgePart,
    system_part: systemPart,
  };
}

/**
 * A newer release may write other values: an unknown state is treated as no trust, and unreadable
 * gaps are omitted.
 */
const { state: State, gaps: Gaps } = ReportedVerifier.shape.trust.shape;

/** The current trust of each verifier, by slug: the state that was checked most recently. */
async function readTrust({
  sql,
  projectId,
}: ProjectCtx): Promise<ReadonlyMap<string, ReportedVerifier['trust']>> {
  const rows = await sql<
    { verifier_slug: string; version: number; judge: string; state: string; gaps: unknown }[]
  >`
    select distinct on (verifier_slug) verifier_slug, version, judge, state, gaps from trust_states
    where project_id = ${projectId} and in_force order by verifier_slug, looked_at desc, version desc`;
  return new Map(
    rows.map((row) => [
      row.verifier_slug,
      {
        state: State.catch('unmeasured').parse(row.state),
        version: row.version,
        judge: row.judge === '' ? null : row.judge,
        gaps: Gaps.catch([]).parse(row.gaps),
      },
    ]),
  );
}
