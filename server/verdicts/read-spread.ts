import type { ProjectCtx } from '../access';
import { addSums, bucketsOf, closedSums, firstOpenDay, type SpreadSums } from './closed-days';
import { readDeletionMark } from './deletion-mark';
import { scoreOfBucket, type Spread, spreadOf, valueOfBucket } from './spreads';

export interface SpreadWanted {
  /**
   * Slug of a verifier; left out: all of them. A score means something within one verifier only.
   */
  readonly verifier?: string | undefined;
  /** That did the work; '' are those that no one named. */
  readonly model?: string | undefined;
  /**
   * `score` on the verifier's own scale, `cost` in US dollars of judging, of what was judged,
   * `wait` in milliseconds from due to settled.
   */
  readonly measure: 'score' | 'cost' | 'wait';
  /**
   * Verdicts count by the UTC day on which they settled: the days from that of `from` until before
   * that of `to`.
   */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

interface Row {
  model: string;
  counts: Readonly<Record<string, number>>;
}

/**
 * Percentiles of what was settled, each known to 2 % of its value (of scores: `scoreOfBucket`);
 * from the counts that settling keeps, never from the verdicts.
 * @internal Tests alone call it.
 */
export async function readSpread(ctx: ProjectCtx, wanted: SpreadWanted): Promise<Spread> {
  const all = new Map<number, number>();
  for (const counts of (await readSums(ctx, wanted)).values()) {
    for (const [bucket, count] of counts) all.set(bucket, (all.get(bucket) ?? 0) + count);
  }
  return spreadOf(bucketsOf(all), valueOf(wanted));
}

/** The same of each model; '' are those that no one named. */
export async function readSpreads(
  ctx: ProjectCtx,
  wanted: SpreadWanted,
): Promise<Map<string, Spread>> {
  return new Map(
    [...(await readSums(ctx, wanted))].map(([model, counts]) => [
      model,
      spreadOf(bucketsOf(counts), valueOf(wanted)),
    ]),
  );
}

const valueOf = ({ measure }: SpreadWanted) =>
  measure === 'score' ? scoreOfBucket : valueOfBucket;

/** Days that are over are read once; of the others, which are one or two, every time. */
async function readSums(ctx: ProjectCtx, wanted: SpreadWanted): Promise<SpreadSums> {
  const { verifier, model, measure, from, to } = wanted;
  const since = from === undefined ? null : dayOf(from);
  const until = to === undefined ? null : dayOf(to);
  // A simulated project's verdicts settle on days that are over by the clock: none of them is ever
  // closed.
  const open = ctx.simulated ? '0001-01-01' : firstOpenDay(ctx.clock.now());
  const split = until !== null && until < open ? until : open;
  const key = JSON.stringify([
    ctx.projectId,
    await readDeletionMark(ctx),
    verifier,
    model,
    measure,
    since,
    split,
  ]);
  const [closed, rest] = await Promise.all([
    since !== null && since >= split
      ? new Map()
      : closedSums(key, () => readDays(ctx, wanted, since, split)),
    until !== null && until <= split
      ? new Map()
      : readDays(ctx, wanted, since !== null && since > split ? since : split, until),
  ]);
  return addSums([closed, rest]);
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * From the day `from` until before that of `to`. Added up here: taking the counts of many days
 * apart costs the database about twice as much.
 */
async function readDays(
  { sql, projectId }: ProjectCtx,
  { verifier, model, measure }: SpreadWanted,
  from: string | null,
  to: string | null,
): Promise<SpreadSums> {
  const rows = await sql<Row[]>`
    select model, counts from verdict_spreads
    where project_id = ${projectId} and measure = ${measure}
      ${verifier === undefined ? sql`` : sql`and verifier_slug = ${verifier}`}
      ${model === undefined ? sql`` : sql`and model = ${model}`}
      ${from === null ? sql`` : sql`and day >= ${from}::date`}
      ${to === null ? sql`` : sql`and day < ${to}::date`}`;
  return addSums(
    rows.map(
      (row) =>
        new Map([
          [
            row.model,
            new Map(Object.entries(row.counts).map(([bucket, count]) => [Number(bucket), count])),
          ],
        ]),
    ),
  );
}
