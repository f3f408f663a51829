import { storedKindsOf } from '../../catalog';
import type { Fragment, TransactionSql } from 'postgres';
import type { Outcome } from '../../domain';
import type { SearchHit, HitKind } from './hit';

export interface SearchIn {
  readonly sql: TransactionSql;
  readonly projectId: string;
}

interface KeyRow {
  kind: HitKind;
  id: string;
  name: string | null;
  outcome: Outcome | null;
  at: string | null;
  opens: string | null;
}

const hitsMax = 5;
/**
 * The number of rows that are read from the position of the text in a key. In the collation C, all
 * rows with this prefix are adjacent; in others, rows that differ in case may be in between.
 */
const readMax = 64;

/**
 * Items whose id equals or begins with the text: scans a few rows along the key of each table. Of
 * experiments' outputs only those whose whole id it is, without their text, which may be held out.
 */
export async function findByKey({ sql, projectId }: SearchIn, q: string): Promise<SearchHit[]> {
  const isLive = sql`(id = ${q} or not exists (
    select from turns t where t.project_id = ${projectId} and t.id = subjects.turn_id and t.origin = 'experiment'))`;
  const found = await Promise.all([
    sql<KeyRow[]>`
      select 'verdict' as kind, id, case when experiment_id is null then left(excerpt, 120) end as name, outcome, settled_at as at, null as opens from (
        select id, excerpt, experiment_id, outcome, settled_at from verdicts where project_id = ${projectId} and id >= ${q} and (experiment_id is null or id = ${q}) order by id limit ${readMax}
      ) near where starts_with(id, ${q}) limit ${hitsMax}`,
    sql<KeyRow[]>`
      select 'turn' as kind, near.id, near.model as name, v.outcome, near.received_at as at, null as opens from (
        select id, model, received_at from turns where project_id = ${projectId} and id >= ${q} and (origin <> 'experiment' or id = ${q}) order by id limit ${readMax}
      ) near left join lateral (${lastVerdict(sql, projectId, sql`'turn'`, sql`near.id`)}) v on true
      where starts_with(near.id, ${q}) limit ${hitsMax}`,
    sql<KeyRow[]>`
      select 'subject' as kind, near.id, coalesce(near.client_id, near.task_id) as name, v.outcome, near.created_at as at, v.id as opens
      from unnest(${storedKindsOf(sql, projectId)}) as k(kind) cross join lateral (
        (select id, client_id, task_id, created_at from subjects where project_id = ${projectId} and kind = k.kind and id >= ${q} and ${isLive}
          order by id limit ${readMax})
        union
        (select id, client_id, task_id, created_at from subjects where project_id = ${projectId} and kind = k.kind and client_id >= ${q} and ${isLive}
          order by client_id limit ${readMax})
      ) near left join lateral (${lastVerdict(sql, projectId, sql`k.kind`, sql`near.id`)}) v on true
      where starts_with(near.id, ${q}) or starts_with(near.client_id, ${q}) limit ${hitsMax}`,
    sql<KeyRow[]>`
      select 'trace' as kind, id, name, null as outcome, received_at as at, null as opens from (
        select id, name, received_at from traces where project_id = ${projectId} and id >= ${q} order by id limit ${readMax}
      ) near where starts_with(id, ${q}) limit ${hitsMax}`,
    sql<KeyRow[]>`
      select 'session' as kind, id, null as name, null as outcome, received_at as at, null as opens from (
        select id, received_at from sessions where project_id = ${projectId} and id >= ${q} order by id limit ${readMax}
      ) near where starts_with(id, ${q}) limit ${hitsMax}`,
    sql<KeyRow[]>`
      select 'pipeline' as kind, id, left(query, 120) as name, null as outcome, started_at as at, null as opens from (
        select id, query, started_at from pipelines where project_id = ${projectId} and id >= ${q} order by id limit ${readMax}
      ) near where starts_with(id, ${q}) limit ${hitsMax}`,
    sql<KeyRow[]>`
      select 'call' as kind, id, model as name, null as outcome, created_at as at, session_id as opens from (
        select id, model, session_id, created_at from gateway_calls where project_id = ${projectId} and id >= ${q} order by id limit ${readMax}
      ) near where starts_with(id, ${q}) limit ${hitsMax}`,
  ]);
  return found.flat().map(asHit);
}

/**
 * The verdict on a subject's last revision, by the key `verdicts_subject`; if several verifiers
 * judged it, any of their verdicts.
 */
function lastVerdict(
  sql: TransactionSql,
  projectId: string,
  kind: Fragment,
  id: Fragment,
): Fragment {
  return sql`
    select id, outcome from verdicts where project_id = ${projectId} and subject_kind = ${kind} and subject_id = ${id}
    order by revision desc, verifier_slug desc, verifier_version desc limit 1`;
}

export function asHit({ at, ...row }: KeyRow): SearchHit {
  return { ...row, at: at === null ? null : new Date(at) };
}
