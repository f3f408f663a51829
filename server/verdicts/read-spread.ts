import type { ProjectCtx } from '../access';
import { identityOf, isModel } from '../ingest';
import { addSums, bucketsOf, closedSums, firstOpenDay, type SpreadSums } from './closed-days';
import { readDeletionMark } from './deletion-mark';
import { scoreOfBucket, type Spread, spreadOf, valueOfBucket } from './spreads';

export interface SpreadWanted {
  /**
   * The slug of a verifier; all verifiers if omitted. Scores are comparable only within one
   * verifier.
   */
  readonly verifier?: string | undefined;
  /** The model that did the work; '' selects verdicts without a model. */
  readonly model?: string | undefined;
  /**
   * `score`: on the verifier's own scale. `cost`: the cost of judging in US dollars, of verdicts
   * for which a model was called. `wait`: milliseconds from the planned start to the verdict.
   */
  readonly measure: 'score' | 'cost' | 'wait';
  /**
   * Verdicts count on the UTC day on which they settled: from the day of `from` up to but excluding
   * the day of `to`.
   */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

interface Row {
  model: string;
  counts: Readonly<Record<string, number>>;
}

/**
 * Percentiles of settled verdicts, each accurate to 2% of its value (for scores, see
 * `scoreOfBucket`). They are read from the counters written on settling, never from the verdicts.
 * @internal Only tests call it.
 */
export async function readSpread(ctx: ProjectCtx, wanted: SpreadWanted): Promise<Spread> {
  const all = new Map<number, number>();
  for (const counts of (await readSums(ctx, wanted)).values()) {
    for (const [bucket, count] of counts) all.set(bucket, (all.get(bucket) ?? 0) + count);
  }
  return spreadOf(bucketsOf(all), valueOf(wanted));
}

/** The same, per model; '' for verdicts without a model. */
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

/** Reads closed days once and caches them; reads the one or two open days on every call. */
async function readSums(ctx: ProjectCtx, wanted: SpreadWanted): Promise<SpreadSums> {
  const { verifier, model, measure, from, to } = wanted;
  const since = from === undefined ? null : dayOf(from);
  const until = to === undefined ? null : dayOf(to);
  // The verdicts of a simulated project settle on past days, so none of its days is ever closed.
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
  const [closed, openDays] = await Promise.all([
    since !== null && since >= split
      ? new Map()
      : closedSums(key, () => readDays(ctx, wanted, since, split)),
    until !== null && until <= split
      ? new Map()
      : readDays(ctx, wanted, since !== null && since > split ? since : split, until),
  ]);
  return addSums([closed, openDays]);
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * The sums from day `from` up to but excluding day `to`. They are added here because it would cost
 * the database about twice as much to group the counts of many days.
 */
async function readDays(
  ctx: ProjectCtx,
  { verifier, model, measure }: SpreadWanted,
  from: string | null,
  to: string | null,
): Promise<SpreadSums> {
  const { sql, projectId } = ctx;
  const rows = await sql<Row[]>`
    select ${identityOf(ctx, sql`s.project_id`, sql`s.model`)} as model, counts from verdict_spreads s
    where project_id = ${projectId} and measure = ${measure}
      ${verifier === undefined ? sql`` : sql`and verifier_slug = ${verifier}`}
      ${model === undefined ? sql`` : sql`and ${isModel(ctx, sql`s.model`, model)}`}
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
