import type { ProjectCtx } from '../../access';
import { Outcome } from '../../domain';
import type { OutcomeCounts } from '../summarise';

/** Outcomes of verdicts over time. */
export interface VerdictHistory {
  /** The start of the first step, and the time of the query. */
  readonly from: Date;
  readonly to: Date;
  readonly step: 'hour' | 'day';
  /** Every step of the period up to now, including empty ones, with its start time. */
  readonly steps: readonly { readonly at: Date; readonly outcomes: OutcomeCounts }[];
  /**
   * The number of verdicts of the period, and how many of them are in a step: earlier releases
   * wrote no hourly counts.
   */
  readonly verdicts: number;
  readonly inSteps: number;
}

interface Row extends Record<Outcome, string> {
  at: string;
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/**
 * Whole UTC days up to today, or the hours of today if `days` is 1, from the rollups, never from
 * the verdicts.
 */
export async function readVerdictHistory(
  ctx: ProjectCtx,
  { days }: { readonly days: number },
): Promise<VerdictHistory> {
  const to = ctx.clock.now();
  const from = new Date((Math.floor(to.getTime() / dayMs) - (days - 1)) * dayMs);
  const [byDay, byHour] = await Promise.all([
    readDays(ctx, from),
    days === 1 ? readHours(ctx, from) : [],
  ]);
  const stepMs = days === 1 ? hourMs : dayMs;
  const found = new Map(
    (days === 1 ? byHour : byDay).map((row) => [new Date(row.at).getTime(), countsOf(row)]),
  );
  const steps = Array.from(
    { length: Math.floor((to.getTime() - from.getTime()) / stepMs) + 1 },
    (_, index) => {
      const at = from.getTime() + index * stepMs;
      return { at: new Date(at), outcomes: found.get(at) ?? none };
    },
  );
  const verdicts = byDay.reduce((sum, row) => sum + sumOf(countsOf(row)), 0);
  // A verdict that settled between the two queries may be in the hourly counts but not in the daily
  // ones.
  const inSteps = Math.min(
    verdicts,
    steps.reduce((sum, { outcomes }) => sum + sumOf(outcomes), 0),
  );
  return { from, to, step: days === 1 ? 'hour' : 'day', steps, verdicts, inSteps };
}

const none: OutcomeCounts = {
  passed: 0,
  failed: 0,
  needs_review: 0,
  steered: 0,
  inconclusive: 0,
  skipped: 0,
};

const countsOf = (row: Row): OutcomeCounts => ({
  passed: Number(row.passed),
  failed: Number(row.failed),
  needs_review: Number(row.needs_review),
  steered: Number(row.steered),
  inconclusive: Number(row.inconclusive),
  skipped: Number(row.skipped),
});

const sumOf = (counts: OutcomeCounts): number =>
  Outcome.options.reduce((sum, outcome) => sum + counts[outcome], 0);

async function readDays({ sql, projectId }: ProjectCtx, from: Date): Promise<Row[]> {
  return sql<Row[]>`
    select to_char(day, 'YYYY-MM-DD"T00:00:00Z"') as at, sum(passed) as passed, sum(failed) as failed, sum(needs_review) as needs_review,
      sum(steered) as steered, sum(inconclusive) as inconclusive, sum(skipped) as skipped
    from verdict_rollups where project_id = ${projectId} and day >= ${from.toISOString().slice(0, 10)}::date group by day`;
}

async function readHours({ sql, projectId }: ProjectCtx, from: Date): Promise<Row[]> {
  return sql<Row[]>`
    select hour as at, sum(passed) as passed, sum(failed) as failed, sum(needs_review) as needs_review,
      sum(steered) as steered, sum(inconclusive) as inconclusive, sum(skipped) as skipped
    from verdict_hours where project_id = ${projectId} and hour >= ${from.toISOString()}::timestamptz group by hour`;
}
