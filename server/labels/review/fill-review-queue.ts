import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../../access';
import { type Database, newSecret } from '../../platform';
import { storedKinds } from '../../verifiers';
import { attachLabels } from '../attach-labels';
import { reuseRulings } from '../reuse-rulings';
import { enqueueForReview } from './enqueue-for-review';
import { lockSettings } from './review-settings';

/** How far back a new queue starts. */
const initialDays = 7;
/** The same for a simulated project, whose input is weeks old and must all be read. */
const initialSimulatedDays = 60;
/** The number of rows per step, plus any with the same time as the last of them. */
const stepRows = 500;

/**
 * The time after its start within which a transaction that stores verdicts or labels may still
 * commit: the longest statement plus a margin. Its rows carry the start time, so everything is
 * reread after this delay.
 */
export function lateAfterMs({ env }: Pick<ProjectCtx, 'env'>): number {
  const longest = env.queryTimeoutMs > 0 ? env.queryTimeoutMs : 60_000;
  return longest + 5_000;
}

interface Cursor extends Record<string, unknown> {
  began: number;
  lot_key: string;
  drawn_to: string;
  settled_to: string;
  now: string;
  horizon: string;
}

/** `from` is exclusive, `to` inclusive; both are in PostgreSQL's text format. */
interface Window {
  readonly from: string;
  readonly to: string;
}

interface Looked {
  /** The ids of verdicts that settled in the window. */
  readonly settled: readonly string[];
  /** The ids of verdicts that new reports contradict. */
  readonly reported: readonly string[];
  /**
   * The end of the range that was read: the end of the window, or earlier if the step reached its
   * limit.
   */
  readonly to: string;
}

/**
 * One step of filling a project's review queue: reads new verdicts and labels, attaches labels
 * that came before their verdict, repeats rulings on equal content, and enqueues verdicts that need
 * a person. Only one process at a time handles a project. A step is idempotent.
 * @returns the number of verdicts read; null if another process handles the project
 */
export async function fillReviewQueue(ctx: ProjectCtx): Promise<number | null> {
  const { projectId } = ctx;
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into review_cursors (project_id, lot_key, began_at, drawn_to, settled_to)
      select ${projectId}, ${newSecret()}, first, first, first from (select now() - ${ctx.simulated ? initialSimulatedDays : initialDays} * interval '1 day' as first) as t
      on conflict do nothing`);
    const [cursor] = await tx.execute<Cursor>(sql`
      select extract(epoch from began_at)::double precision as began, lot_key, drawn_to::text, settled_to::text, now()::text as now, least(drawn_to, now() - ${lateAfterMs(ctx)} * interval '1 ms')::text as horizon
      from review_cursors where project_id = ${projectId} for update skip locked`);
    if (cursor === undefined) return null;
    await lockSettings(tx, ctx);
    const fresh = await findRows(tx, projectId, { from: cursor.drawn_to, to: cursor.now });
    const again = await findRows(tx, projectId, { from: cursor.settled_to, to: cursor.horizon });
    const settled = [...new Set([...fresh.settled, ...again.settled])];
    const looked = [...new Set([...settled, ...fresh.reported, ...again.reported])];
    // They use separate transactions. An idle connection would otherwise be closed.
    const keepAlive = () => tx.execute(sql`select`);
    await attachLabels(ctx, settled, keepAlive);
    await reuseRulings(ctx, settled, keepAlive);
    await enqueueForReview(tx, ctx, looked, { began: cursor.began, lotKey: cursor.lot_key });
    await tx.execute(sql`
      update review_cursors set drawn_to = greatest(drawn_to, ${fresh.to}::text::timestamptz),
        settled_to = greatest(settled_to, ${again.to}::text::timestamptz)
      where project_id = ${projectId}`);
    return looked.length;
  });
}

async function findRows(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  window: Window,
): Promise<Looked> {
  const between = (column: ReturnType<typeof sql>) =>
    sql`${column} > ${window.from}::text::timestamptz and ${column} <= ${window.to}::text::timestamptz`;
  // All verdicts of a batch settle at the same time: `with ties` keeps them together, so that a
  // step never ends in the middle of a batch.
  const settled = await tx.execute<{ id: string; at: string }>(sql`
    select id, settled_at::text as at from verdicts where project_id = ${projectId} and ${between(sql`settled_at`)}
    order by settled_at fetch first ${stepRows} rows with ties`);
  const labelled = await tx.execute<{ subject_id: string; at: string }>(sql`
    select subject_id, created_at::text as at from labels
    where project_id = ${projectId} and ${between(sql`created_at`)} order by created_at fetch first ${stepRows} rows with ties`);
  // If one of the two queries reached its limit, the range ends there for both, because they share
  // one position in time.
  const ends = [settled, labelled].flatMap((rows) =>
    rows.length < stepRows ? [] : [rows.at(-1)?.at ?? window.to],
  );
  const [to] = await tx.execute<{ to: string }>(sql`
    select least(${window.to}::text::timestamptz, ${ends[0] ?? window.to}::text::timestamptz, ${ends[1] ?? window.to}::text::timestamptz)::text as to`);
  const subjects = [...new Set(labelled.map((row) => row.subject_id))];
  return {
    settled: settled.map(({ id }) => id),
    reported: await verdictsOn(tx, projectId, subjects),
    to: to?.to ?? window.from,
  };
}

/** The verdicts that the latest report on their subject contradicts. */
async function verdictsOn(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  subjects: readonly string[],
): Promise<string[]> {
  if (subjects.length === 0) return [];
  const rows = await tx.execute<{ id: string }>(sql`
    select v.id from jsonb_array_elements_text(${JSON.stringify(subjects)}::text::jsonb) as s(id)
    cross join lateral (
      select success from labels l where project_id = ${projectId} and subject_id = s.id and kind in ('outcome', 'import') and success is not null
        and dimension is null
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
      order by created_at desc, id desc limit 1
    ) as l
    cross join lateral (
      select id, outcome from verdicts where project_id = ${projectId} and subject_kind = any (array(
        select jsonb_array_elements_text(${JSON.stringify(storedKinds)}::text::jsonb)
        union all select slug from verifiers where project_id = ${projectId})) and subject_id = s.id and experiment_id is null offset 0
    ) as v
    where v.outcome = case when l.success then 'failed' else 'passed' end`);
  return rows.map(({ id }) => id);
}
