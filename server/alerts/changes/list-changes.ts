import type { ProjectCtx } from '../../access';
import { type RateDifference, rateDifference, sharesOf, type Share } from '../../domain';
import { type Counts, measureVerifiers, noCounts } from '../../measures';

/**
 * A share in the period and in the previous one. The difference (first minus second) is null if one
 * of them has fewer than 20 items.
 */
export interface ComparedRate {
  readonly now: Share;
  readonly before: Share;
  readonly difference: RateDifference | null;
}

/** The changes since the previous period. */
export interface Changes {
  /** Starts of the period and of the previous period of equal length, and the time of reading. */
  readonly from: Date;
  readonly before: Date;
  readonly to: Date;
  /**
   * Every verifier with a decision or truth in either period: its passes before rulings, and the
   * caught share of bad items.
   */
  readonly verifiers: readonly {
    readonly verifier: string;
    readonly passRate: ComparedRate;
    readonly catchRate: ComparedRate;
  }[];
  /**
   * Pairs of verifier and model (null if unnamed) with failures in this period and none in the
   * previous one, most failures first.
   */
  readonly newlyFailing: readonly {
    readonly verifier: string;
    readonly model: string | null;
    readonly failed: number;
    readonly decided: number;
    /** Number of verdicts decided in the previous period; 0 means new, not newly failing. */
    readonly decidedBefore: number;
  }[];
}

const dayMs = 86_400_000;
const maxNewlyFailing = 8;

/** Audit actions that may change verdicts. */
export const deciding = [
  'prompts.promote',
  'thresholds.update',
  'thresholds.undo',
  'verifiers.update',
  'settings.update',
  'settings.mission',
  'rules.update',
  'providers.put',
  'providers.delete',
  'labels.policy',
  'trust.settings',
] as const;

/** Compares the last `days` whole UTC days up to now with the same number of days before them. */
export async function listChanges(
  ctx: ProjectCtx,
  input: { readonly days: number },
): Promise<Changes> {
  const to = ctx.clock.now();
  const from = new Date((Math.floor(to.getTime() / dayMs) - (input.days - 1)) * dayMs);
  const before = new Date(from.getTime() - input.days * dayMs);
  const [verifiers, newlyFailing] = await Promise.all([
    compareVerifiers(ctx, before, from),
    findNewlyFailing(ctx, before, from),
  ]);
  return { from, before, to, verifiers, newlyFailing };
}

async function compareVerifiers(
  ctx: ProjectCtx,
  before: Date,
  from: Date,
): Promise<Changes['verifiers']> {
  const [now, earlier] = await Promise.all([
    measureVerifiers(ctx, { from }),
    measureVerifiers(ctx, { from: before, to: from }),
  ]);
  const earlierOf = new Map(
    earlier
      .filter(({ origin }) => origin === 'verifier')
      .map((each) => [each.verifier, each.counts]),
  );
  return now
    .filter(({ origin }) => origin === 'verifier')
    .map(({ verifier, counts }) => {
      const old = earlierOf.get(verifier) ?? noCounts;
      return {
        verifier,
        passRate: comparedShares(passShare(counts), passShare(old)),
        catchRate: comparedShares(catchShare(counts), catchShare(old)),
      };
    })
    .filter(({ passRate, catchRate }) =>
      [passRate, catchRate].some((each) => each.now.denominator + each.before.denominator > 0),
    );
}

const passShare = ({ passes, decided, weights }: Counts): Share => ({
  numerator: passes,
  denominator: decided,
  weight: weights?.decided,
});
const catchShare = (counts: Counts): Share => ({
  ...sharesOf(counts).catchRate,
  weight: counts.weights?.bad,
});

function comparedShares(now: Share, before: Share): ComparedRate {
  return { now, before, difference: rateDifference(now, before) };
}

async function findNewlyFailing(
  { sql, projectId }: ProjectCtx,
  before: Date,
  from: Date,
): Promise<Changes['newlyFailing']> {
  const [fromDay, beforeDay] = [from.toISOString().slice(0, 10), before.toISOString().slice(0, 10)];
  const rows = await sql<
    { verifier: string; model: string; failed: string; decided: string; decided_before: string }[]
  >`
    select verifier_slug as verifier, model, sum(failed) filter (where day >= ${fromDay}::date) as failed,
      sum(passed + failed) filter (where day >= ${fromDay}::date) as decided,
      coalesce(sum(passed + failed) filter (where day < ${fromDay}::date), 0) as decided_before
    from verdict_rollups where project_id = ${projectId} and day >= ${beforeDay}::date
    group by 1, 2
    having sum(failed) filter (where day >= ${fromDay}::date) > 0 and coalesce(sum(failed) filter (where day < ${fromDay}::date), 0) = 0
    order by 3 desc, 1, 2 limit ${maxNewlyFailing}`;
  return rows.map(({ verifier, model, failed, decided, decided_before }) => ({
    verifier,
    model: model === '' ? null : model,
    failed: Number(failed),
    decided: Number(decided),
    decidedBefore: Number(decided_before),
  }));
}
