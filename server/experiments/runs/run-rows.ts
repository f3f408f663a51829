import type { ProjectCtx } from '../../access';
import { insertWork } from '../../queue';
import { type Experiment, outputTurnId } from './experiment';
import { type RunItem, runItemOf } from './run-item';

/** A row that waits for its output. */
export interface RunRow {
  readonly ordinal: number;
  readonly repetition: number;
  readonly item: RunItem;
}

export type RowReach = Pick<ProjectCtx, 'sql' | 'projectId'>;

interface Place {
  readonly experimentId: string;
  readonly datasetId: string;
  readonly datasetVersion: number;
}

/** The next rows without an output, with their items. */
export async function nextRows(
  { sql, projectId }: RowReach,
  { experimentId, datasetId, datasetVersion }: Place,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RunRow[]> {
  const rows = await sql<
    { ordinal: number; item_id: string; repetition: number; content: string; tags: string[] }[]
  >`
    select r.ordinal, r.item_id, r.repetition, i.content, to_jsonb(i.tags) as tags
    from experiment_rows r join dataset_items i on i.project_id = r.project_id
      and i.dataset_id = ${datasetId} and i.id = r.item_id and i.from_version <= ${datasetVersion}
      and (i.to_version is null or i.to_version > ${datasetVersion})
    where r.project_id = ${projectId} and r.experiment_id = ${experimentId}
      and r.ordinal > ${after} and r.state = 'waiting'
    order by r.ordinal limit ${limit}`;
  return rows.map(({ ordinal, repetition, item_id: id, content, tags }) => ({
    ordinal,
    repetition,
    item: runItemOf(id, content, tags),
  }));
}

/** The row of an item and repetition, with its state; null if there is none. */
export async function findRow(
  { sql, projectId }: RowReach,
  { id, datasetId, datasetVersion }: Pick<Experiment, 'id' | 'datasetId' | 'datasetVersion'>,
  { itemId, repetition }: { readonly itemId: string; readonly repetition: number },
): Promise<{ readonly row: RunRow; readonly state: string } | null> {
  const [found] = await sql<{ ordinal: number; state: string; content: string; tags: string[] }[]>`
    select r.ordinal, r.state, i.content, to_jsonb(i.tags) as tags
    from experiment_rows r join dataset_items i on i.project_id = r.project_id
      and i.dataset_id = ${datasetId} and i.id = r.item_id and i.from_version <= ${datasetVersion}
      and (i.to_version is null or i.to_version > ${datasetVersion})
    where r.project_id = ${projectId} and r.experiment_id = ${id} and r.item_id = ${itemId}
      and r.repetition = ${repetition}`;
  return found === undefined
    ? null
    : {
        row: {
          ordinal: found.ordinal,
          repetition,
          item: runItemOf(itemId, found.content, found.tags),
        },
        state: found.state,
      };
}

/**
 * Marks a row before its target is called, so that a crash does not call it twice. False if the
 * experiment was stopped, or the row is no longer waiting.
 */
export async function markAsked(
  { sql, projectId }: RowReach,
  experimentId: string,
  ordinal: number,
): Promise<boolean> {
  const rows = await sql`
    update experiment_rows r set state = 'asked', asked_at = now()
    where r.project_id = ${projectId} and r.experiment_id = ${experimentId}
      and r.ordinal = ${ordinal} and r.state = 'waiting'
      and exists (select from experiments e where e.project_id = r.project_id
        and e.id = r.experiment_id and e.state in ('running', 'open'))
    returning 1`;
  return rows.length > 0;
}

export type RowEnd =
  | {
      readonly state: 'answered';
      readonly costUsd: number | null;
      readonly latencyMs: number | null;
    }
  | { readonly state: 'failed'; readonly costUsd: number | null; readonly error: string }
  /** The budget did not allow the call, so it was skipped. */
  | { readonly state: 'waiting' };

/** Stores the end of a row; a row that counts as lost may still end. */
export async function endRow(
  { sql, projectId }: RowReach,
  experimentId: string,
  ordinal: number,
  end: RowEnd,
): Promise<void> {
  const isAnswered = end.state === 'answered';
  await sql`
    update experiment_rows set state = ${end.state},
      turn_id = ${isAnswered ? outputTurnId(experimentId, ordinal) : null},
      cost_usd = ${end.state === 'waiting' ? null : end.costUsd},
      latency_ms = ${isAnswered ? end.latencyMs : null},
      error = ${end.state === 'failed' ? end.error.slice(0, 2000).toWellFormed() : null},
      ended_at = case when ${end.state === 'waiting'} then null else now() end
    where project_id = ${projectId} and experiment_id = ${experimentId} and ordinal = ${ordinal}
      and state in ('asked', 'lost')`;
}

const lostReason =
  'the worker stopped before the answer was stored; the call may have been charged, and is not repeated unless you resume with retry_failed';

/**
 * Rows whose worker ended during the call: answered if their turn was stored, otherwise lost. A
 * lost call is not repeated, since it may have been charged; its reservation counts as spent.
 */
export async function settleLost(
  { sql, projectId }: RowReach,
  experimentId: string,
): Promise<void> {
  await sql`
    with run as materialized (
      select id from experiments where project_id = ${projectId} and id = ${experimentId}
      for update
    ), asked as materialized (
      select k.ordinal, k.reserved_micros, k.experiment_id || '-' || k.ordinal as turn_id
      from run join experiment_rows k on k.project_id = ${projectId} and k.experiment_id = run.id
      where k.state = 'asked' for update of k
    ), ended as (
      update experiment_rows r set
        state = case when found.turn_id is null then 'lost' else 'answered' end,
        turn_id = found.turn_id, cost_usd = found.cost_usd, latency_ms = found.latency_ms,
        error = case when found.turn_id is null then ${lostReason} end, reserved_micros = 0,
        ended_at = now()
      from (
        select asked.ordinal, asked.reserved_micros, t.id as turn_id, t.cost_usd,
          extract(epoch from t.ended_at - t.started_at) * 1000 as latency_ms
        from asked left join turns t on t.project_id = ${projectId} and t.id = asked.turn_id
          and t.origin = 'experiment'
      ) as found
      where r.project_id = ${projectId} and r.experiment_id = ${experimentId}
        and r.ordinal = found.ordinal and r.state = 'asked'
      returning found.reserved_micros
    ), lost as (
      select coalesce(sum(reserved_micros), 0)::bigint as micros from ended
    )
    update experiments e set reserved_micros = e.reserved_micros - lost.micros,
      spent_micros = e.spent_micros + lost.micros
    from lost
    where e.project_id = ${projectId} and e.id = ${experimentId} and lost.micros > 0`;
}

/**
 * Plans the verifications of stored outputs that have neither a verdict nor pending work: those
 * that were dropped when the experiment was stopped.
 */
export async function planMissing(
  { sql, projectId }: RowReach,
  experimentId: string,
): Promise<void> {
  await sql`
    with missing as (
      select r.turn_id, v.slug,
        'ver_' || left(encode(sha256(convert_to(
          e.id || ' ' || r.ordinal || ' ' || v.slug, 'UTF8')), 'hex'), 26) as id
      from experiments e
      join experiment_rows r on r.project_id = e.project_id and r.experiment_id = e.id
      cross join unnest(e.verifiers) as v(slug)
      where e.project_id = ${projectId} and e.id = ${experimentId} and r.state = 'answered'
        and not exists (select from verdicts d where d.project_id = e.project_id
          and d.experiment_id = e.id and d.turn_id = r.turn_id and d.verifier_slug = v.slug)
    ), planned as (${insertWork(
      sql,
      sql`
      select ${projectId}, m.id, 'turn', m.turn_id, 1, m.slug, null, null, 0, 0, now(), null::jsonb,
        ${experimentId}, 'fast'
      from missing m
      where not exists (select from work w where w.project_id = ${projectId} and w.id = m.id)`,
    )})
    select pg_notify('assay_work', '') from (select 1 from planned limit 1) as any_planned`;
}

/** The progress of an experiment. */
export interface RunProgress {
  readonly rows: number;
  readonly waiting: number;
  readonly asked: number;
  readonly answered: number;
  /** Pending verifications. */
  readonly pending: number;
  readonly verdicts: number;
}

export async function readRunProgress(
  { sql, projectId }: RowReach,
  experimentId: string,
): Promise<RunProgress> {
  const [row] = await sql<RunProgress[]>`
    select count(*)::int as rows, count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'asked')::int as asked,
      count(*) filter (where state = 'answered')::int as answered,
      (select count(*)::int from work w where w.project_id = ${projectId}
        and w.experiment_id = ${experimentId} and w.state <> 'quarantined') as pending,
      (select count(*)::int from verdicts v where v.project_id = ${projectId}
        and v.experiment_id = ${experimentId}) as verdicts
    from experiment_rows where project_id = ${projectId} and experiment_id = ${experimentId}`;
  return row ?? { rows: 0, waiting: 0, asked: 0, answered: 0, pending: 0, verdicts: 0 };
}
