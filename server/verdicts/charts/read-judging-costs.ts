import type { ProjectCtx } from '../../access';
import { valueOfBucket } from '../spreads';

/** The cost of judging on one UTC day, in US dollars, accurate to 2%. */
export interface JudgingCost {
  /** `2026-11-23` */
  readonly day: string;
  readonly verifier: string;
  readonly usd: number;
  /** Verdicts for which a model was called. */
  readonly judged: number;
}

/**
 * Costs by day and verifier, from the counters written on settling, without days that have no model
 * calls.
 */
export async function readJudgingCosts(
  { sql, projectId }: ProjectCtx,
  { verifier, from }: { readonly verifier?: string | undefined; readonly from: Date | undefined },
): Promise<JudgingCost[]> {
  const rows = await sql<
    { day: string; verifier: string; counts: Readonly<Record<string, number>> }[]
  >`
    select day::text, verifier_slug as verifier, counts from verdict_spreads
    where project_id = ${projectId} and measure = 'cost'
      ${verifier === undefined ? sql`` : sql`and verifier_slug = ${verifier}`}
      ${from === undefined ? sql`` : sql`and day >= ${from.toISOString().slice(0, 10)}::date`}`;
  const costs = new Map<string, { day: string; verifier: string; usd: number; judged: number }>();
  for (const row of rows) {
    const key = `${row.day} ${row.verifier}`;
    const cost = costs.get(key) ?? { day: row.day, verifier: row.verifier, usd: 0, judged: 0 };
    for (const [bucket, count] of Object.entries(row.counts)) {
      cost.usd += valueOfBucket(Number(bucket)) * count;
      cost.judged += count;
    }
    costs.set(key, cost);
  }
  return [...costs.values()];
}
