import type { ProjectCtx } from '../access';
import { notFound } from '../platform';
import { kinds } from '../verifiers';
import { cellCounts, type CountRow, cellSums, countsOf } from './cells';
import { rollups } from './count-labelled-verdicts';
import { labelledVerdictRows, type Wanted } from './labelled-verdicts';
import { measureBySteps, type VerifierMeasures } from './measure';
import type { Days, Origin } from './measure-input';
import { findLimitedAccounts } from './outweighing';
import { noCounts, type Rates, ratesOf } from './rates';
import { labelledOf, type Matrix, minSampleSize, readVerifierName, seriesOf } from '../domain';

/** One day or week. */
export interface MeasuredPeriod {
  /** Start of the day or week in UTC, and start of the next one. */
  readonly from: Date;
  readonly to: Date;
  readonly matrix: Matrix;
  readonly rates: Pick<Rates, 'catchRate' | 'falseRejectionRate' | 'agreement' | 'overrideRate'>;
}

export interface VerifierDetail extends VerifierMeasures {
  readonly from: Date | null;
  readonly step: 'day' | 'week';
  /** Days or weeks with a labelled or ruled verdict, oldest first. */
  readonly steps: readonly MeasuredPeriod[];
  /**
   * Models that judged labelled verdicts at any time: the results of one do not apply to another
   * (R-59).
   */
  readonly judges: readonly string[];
}

const dayMs = 86_400_000;

/** The start of the period of whole UTC days that ends today; undefined for 0, which means all. */
export function periodStart(now: Date, days: Days): Date | undefined {
  return days === 0
    ? undefined
    : new Date((Math.floor(now.getTime() / dayMs) - (days - 1)) * dayMs);
}

/** Whether at least half of the days with labels have enough of them for a rate. */
export const daysSuffice = (labels: readonly number[]): boolean =>
  2 * labels.filter((count) => count >= minSampleSize).length >= labels.length;

/**
 * Measures one verifier, or one judge's part of it, with its rates over time: by day up to 30 days
 * if `daysSuffice`, else by week (from Monday).
 * @throws AssayError not_found for a verifier that this release does not have and that has no
 * verdict in the project
 */
export async function measureVerifier(
  ctx: ProjectCtx,
  input: {
    readonly verifier: string;
    readonly origin: Origin;
    readonly days: Days;
    readonly judge?: string | undefined;
  },
): Promise<VerifierDetail> {
  const from = periodStart(ctx.clock.now(), input.days);
  await requireVerifier(ctx, input);
  const wanted = {
    verifier: input.verifier,
    judge: input.judge,
    from,
    outweighing: await findLimitedAccounts(ctx, input.verifier),
  };
  const isShort = input.days === 7 || input.days === 30;
  const byDay = isShort ? await countSteps(ctx, input.origin, wanted, 'day') : [];
  const isDaily = isShort && daysSuffice(byDay.map((row) => labelledOf(countsOf(row))));
  const step = isDaily ? 'day' : 'week';
  const [{ measured, weights }, judges, rows] = await Promise.all([
    measureBySteps(ctx, wanted, step),
    input.origin === 'imported' ? [] : listJudges(ctx, input.verifier),
    isDaily ? byDay : countSteps(ctx, input.origin, wanted, step),
  ]);
  // A versioned verifier is measured under its plain name; names of imported judges have no
  // version.
  const name =
    input.origin === 'verifier' ? seriesOf(readVerifierName(input.verifier)) : input.verifier;
  const found = measured.find((each) => each.origin === input.origin && each.verifier === name);
  const none = {
    verifier: input.verifier,
    origin: input.origin,
    kind: input.origin,
    counts: noCounts,
    rates: ratesOf(noCounts),
    outweighing: [],
  };
  const length = step === 'day' ? dayMs : 7 * dayMs;
  return {
    ...(found === undefined ? none : { ...found, verifier: input.verifier }),
    from: from ?? null,
    step,
    judges,
    steps: rows.map((row) => {
      const begin = new Date(`${row.begin}T00:00:00Z`);
      const counts = {
        ...countsOf(row),
        weights: weights[input.origin].get(`${name} ${row.begin}`),
      };
      const { catchRate, falseRejectionRate, agreement, overrideRate } = ratesOf(counts);
      const { caught, missed, rejected, passed } = counts;
      return {
        from: from !== undefined && from > begin ? from : begin,
        to: new Date(begin.getTime() + length),
        matrix: { caught, missed, rejected, passed },
        rates: { catchRate, falseRejectionRate, agreement, overrideRate },
      };
    }),
  };
}

/**
 * Reads the rollups, unless the rulings of an account outweigh others. The period begins with a
 * whole day and has no end.
 */
async function countSteps(
  ctx: ProjectCtx,
  origin: Origin,
  wanted: Wanted,
  step: 'day' | 'week',
): Promise<(CountRow & { begin: string })[]> {
  const { sql } = ctx;
  const outweighs = origin === 'verifier' && (wanted.outweighing ?? []).length > 0;
  const days = wanted.from === undefined ? {} : { from: wanted.from.toISOString().slice(0, 10) };
  const counted = outweighs
    ? sql`select day, ${cellCounts(ctx)} from (${labelledVerdictRows(ctx, origin, wanted)}) as judged group by day`
    : sql`select j.day, ${cellSums(ctx)} from ${rollups(ctx, origin, wanted, days)} group by j.day`;
  return sql<(CountRow & { begin: string })[]>`
    select date_trunc(${step}, day::timestamp)::date::text as begin, ${cellSums(ctx)} from (${counted}) as by_day
    where caught + missed + rejected + passed + ruled > 0 group by begin order by begin`;
}

async function listJudges({ sql, projectId }: ProjectCtx, verifier: string): Promise<string[]> {
  const { slug, self } = readVerifierName(verifier);
  const rows = await sql<{ judge: string }[]>`
    select judge from judgement_rollups
    where project_id = ${projectId} and origin = 'verifier' and series = ${seriesOf({ slug, self })} and judge <> ''
    group by judge having sum(caught + missed + rejected + passed + undecided + ruled + contested) > 0 order by judge`;
  return rows.map(({ judge }) => judge);
}

/** Accepts a verifier without verdicts, whose counts are zero, and rejects an unknown one. */
async function requireVerifier(
  { sql, projectId }: ProjectCtx,
  { verifier, origin }: { readonly verifier: string; readonly origin: Origin },
): Promise<void> {
  const { slug } = readVerifierName(verifier);
  if (origin === 'verifier' && kinds.has(slug)) return;
  const known =
    origin === 'verifier'
      ? await sql`select from verdict_rollups where project_id = ${projectId} and verifier_slug = ${slug} limit 1`
      : await sql`select from foreign_scores where project_id = ${projectId} and source = 'import' and model = ${verifier} limit 1`;
  if (known.length === 0) throw notFound('verifier');
}
