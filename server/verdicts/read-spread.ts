import type { ProjectCtx } from '../access';
import { type Bucket, type Spread, spreadOf } from './spreads';

export interface SpreadWanted {
  /** Slug of a verifier; left out: all of them. A score means something within one verifier only. */
  readonly verifier?: string | undefined;
  /** That did the work; '' are those that nobody named. */
  readonly model?: string | undefined;
  /** `score` on the verifier's own scale, `cost` in US dollars of judging, of what was judged, `wait` in milliseconds from due to settled. */
  readonly measure: 'score' | 'cost' | 'wait';
  /** Verdicts count by the UTC day on which they settled: the days from that of `from` until before that of `to`. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

interface Row {
  model: string;
  counts: Readonly<Record<string, number>>;
}

/** Percentiles of what was settled, each known to 2 % of its value; from the counts that settling keeps, never from the verdicts. */
export async function readSpread(ctx: ProjectCtx, wanted: SpreadWanted): Promise<Spread> {
  return spreadOf(sumBuckets(await readRows(ctx, wanted)));
}

/** The same of each model; '' are those that nobody named. */
export async function readSpreads(ctx: ProjectCtx, wanted: SpreadWanted): Promise<Map<string, Spread>> {
  const models = new Map<string, Row[]>();
  for (const row of await readRows(ctx, wanted)) {
    const rows = models.get(row.model);
    if (rows === undefined) models.set(row.model, [row]);
    else rows.push(row);
  }
  return new Map([...models].map(([model, rows]) => [model, spreadOf(sumBuckets(rows))]));
}

async function readRows({ sql, projectId }: ProjectCtx, { verifier, model, measure, from, to }: SpreadWanted): Promise<Row[]> {
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  return sql<Row[]>`
    select model, counts from verdict_spreads
    where project_id = ${projectId} and measure = ${measure}
      ${verifier === undefined ? sql`` : sql`and verifier_slug = ${verifier}`}
      ${model === undefined ? sql`` : sql`and model = ${model}`}
      ${from === undefined ? sql`` : sql`and day >= ${day(from)}::date`}
      ${to === undefined ? sql`` : sql`and day < ${day(to)}::date`}`;
}

/** Added up here: taking the counts of many days apart costs the database about twice as much. */
function sumBuckets(rows: readonly Row[]): Bucket[] {
  const sums = new Map<string, number>();
  for (const { counts } of rows) for (const [bucket, count] of Object.entries(counts)) sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  return [...sums].map(([bucket, count]) => ({ bucket: Number(bucket), count }));
}
