import type { ProjectCtx } from '../access';
import { minSampleSize, readVerifierName } from '../domain';
import { readJudgingCosts } from '../verdicts';
import { rollups } from './count-labelled-verdicts';
import { labelledVerdictRows, type Wanted } from './labelled-verdicts';
import { cellCounts } from './cells';
import type { Days } from './measure-input';
import { periodStart } from './measure-verifier';
import { findLimitedAccounts } from './outweighing';

/** The cost of judging in one day or week, and the defects that it caught. */
export interface CaughtCost {
  /** Start of the day or week in UTC, and start of the next one. */
  readonly from: Date;
  readonly to: Date;
  /**
   * The cost of judging in US dollars, accurate to 2%, and the number of verdicts for which a
   * model was called.
   */
  readonly usd: number;
  readonly judged: number;
  /** Verdicts that failed the work, labelled or not. */
  readonly flagged: number;
  /** Flagged verdicts with a label, and those of them that are truly bad. */
  readonly flaggedLabelled: number;
  readonly caughtLabelled: number;
  /**
   * Defects among the flagged verdicts, estimated from the labelled ones; null if fewer than 20 are
   * labelled.
   */
  readonly caught: number | null;
  /** US dollars per caught defect; null if `caught` is null or 0, or if no model was called. */
  readonly usdPerCaught: number | null;
}

export interface CaughtCosts {
  readonly from: Date | null;
  readonly step: 'day' | 'week';
  /** The days or weeks with a judged or flagged verdict, oldest first. */
  readonly steps: readonly CaughtCost[];
}

interface CountRow {
  begin: string;
  flagged: string;
  caught: string;
  rejected: string;
}

const dayMs = 86_400_000;

/**
 * The cost of judging per caught defect, by day for a period of 7 days, else by week starting on
 * Monday: the cost of the whole day or week divided by the defects among its flagged verdicts,
 * which are estimated from the labelled ones as in reports. Covers all versions of the verifier,
 * including self-judged work. Reads the rollups, unless the rulings of one account outweigh all
 * others (S-35).
 */
export async function measureCaughtCosts(
  ctx: ProjectCtx,
  input: { readonly verifier: string; readonly days: Days },
): Promise<CaughtCosts> {
  const from = periodStart(ctx.clock.now(), input.days);
  const { slug } = readVerifierName(input.verifier);
  const step = input.days === 7 ? 'day' : 'week';
  const [costs, counts] = await Promise.all([
    readJudgingCosts(ctx, { verifier: slug, from }),
    countFlagged(ctx, slug, from, step),
  ]);
  const steps = new Map<
    string,
    { usd: number; judged: number; flagged: number; caught: number; rejected: number }
  >();
  const sumsOf = (begin: string) => {
    const found = steps.get(begin) ?? { usd: 0, judged: 0, flagged: 0, caught: 0, rejected: 0 };
    steps.set(begin, found);
    return found;
  };
  for (const { day, usd, judged } of costs) {
    const sum = sumsOf(step === 'day' ? day : mondayOf(day));
    sum.usd += usd;
    sum.judged += judged;
  }
  for (const { begin, flagged, caught, rejected } of counts) {
    Object.assign(sumsOf(begin), {
      flagged: Number(flagged),
      caught: Number(caught),
      rejected: Number(rejected),
    });
  }
  const length = step === 'day' ? dayMs : 7 * dayMs;
  return {
    from: from ?? null,
    step,
    steps: [...steps]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([begin, sums]) => {
        const first = new Date(`${begin}T00:00:00Z`);
        return {
          from: from !== undefined && from > first ? from : first,
          to: new Date(first.getTime() + length),
          ...perCaught(sums),
        };
      }),
  };
}

/** Computes one day or week from its sums. */
function perCaught({
  usd,
  judged,
  flagged,
  caught,
  rejected,
}: {
  readonly usd: number;
  readonly judged: number;
  readonly flagged: number;
  readonly caught: number;
  readonly rejected: number;
}): Omit<CaughtCost, 'from' | 'to'> {
  const labelled = caught + rejected;
  const estimate = labelled < minSampleSize ? null : (flagged * caught) / labelled;
  return {
    usd,
    judged,
    flagged,
    flaggedLabelled: labelled,
    caughtLabelled: caught,
    caught: estimate,
    usdPerCaught: estimate === null || estimate === 0 || judged === 0 ? null : usd / estimate,
  };
}

/** The Monday of a day's week, as PostgreSQL's `date_trunc('week')` computes it. */
function mondayOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10);
}

async function countFlagged(
  ctx: ProjectCtx,
  slug: string,
  from: Date | undefined,
  step: 'day' | 'week',
): Promise<CountRow[]> {
  const { sql, projectId } = ctx;
  const outweighing = await findLimitedAccounts(ctx, slug);
  const wanted: Wanted = { verifier: slug, together: true, from, outweighing };
  const days = from === undefined ? {} : { from: from.toISOString().slice(0, 10) };
  const labelled =
    outweighing.length > 0
      ? sql`select day, ${cellCounts(ctx)} from (${labelledVerdictRows(ctx, 'verifier', wanted)}) as judged group by day`
      : sql`select j.day, j.caught, j.rejected from ${rollups(ctx, 'verifier', wanted, days)}`;
  return sql<CountRow[]>`
    select date_trunc(${step}, day::timestamp)::date::text as begin, sum(flagged) as flagged, sum(caught) as caught, sum(rejected) as rejected
    from (
      select day, failed as flagged, 0 as caught, 0 as rejected from verdict_rollups
      where project_id = ${projectId} and verifier_slug = ${slug} ${from === undefined ? sql`` : sql`and day >= ${from.toISOString().slice(0, 10)}::date`}
      union all
      select day, 0, caught, rejected from (${labelled}) as labelled
    ) as by_day group by begin having sum(flagged + caught + rejected) > 0`;
}
