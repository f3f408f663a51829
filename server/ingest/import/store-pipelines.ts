import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { storableJson } from '../../domain';
import type { ImportedPipeline } from './imported-row';

/**
 * Stores the requests that rows describe, by their session. One that exists already, from an
 * earlier import or from checkpoints, gets only missing values. Returns the number of new ones.
 */
export async function storePipelines(
  ctx: ProjectCtx,
  pipelines: readonly ImportedPipeline[],
): Promise<number> {
  if (pipelines.length === 0) return 0;
  const now = ctx.clock.now();
  const rows = pipelines.map(({ sessionId, query, complexity, startedAt }) => ({
    i: sessionId,
    q: query,
    c: complexity,
    a: startedAt ?? now,
  }));
  // An existing row keeps its `origin`; `xmax` is 0 only for a row that this statement inserted.
  const stored = await ctx.sql<{ fresh: boolean }[]>`
    insert into pipelines (project_id, id, query, complexity, session_id, origin, started_at, last_at)
    select distinct on (i) ${ctx.projectId}, i, q, c, i, 'import', a, a
    from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(i text, q text, c text, a timestamptz) order by i
    on conflict (project_id, id) do update set query = coalesce(pipelines.query, excluded.query),
      complexity = coalesce(pipelines.complexity, excluded.complexity)
    where (pipelines.query is null and excluded.query is not null) or (pipelines.complexity is null and excluded.complexity is not null)
    returning xmax = 0 as fresh`;
  return stored.filter(({ fresh }) => fresh).length;
}

/**
 * Stores requests that checkpoints name; their values replace earlier ones.
 * @param rows project_id, id, query, complexity, trace_id, session_id, origin, started_at, last_at
 */
export function insertPipelines({ sql }: Pick<ProjectCtx, 'sql'>, rows: Fragment): Fragment {
  return sql`
    insert into pipelines (project_id, id, query, complexity, trace_id, session_id, origin,
      started_at, last_at)
    ${rows}
    on conflict (project_id, id) do update set query = coalesce(excluded.query, pipelines.query),
      complexity = coalesce(excluded.complexity, pipelines.complexity),
      trace_id = coalesce(excluded.trace_id, pipelines.trace_id),
      session_id = coalesce(excluded.session_id, pipelines.session_id),
      last_at = greatest(excluded.last_at, pipelines.last_at)`;
}
