import type { Fragment } from 'postgres';
import type { Ctx } from '../platform';
import type { ScopedValue } from './resolve';

interface Row {
  project_id: string;
  verifier: string;
  key: string;
  mission_id: string;
  task_id: string;
  version: number;
  value: number;
}

/** Current values of some projects and verifiers. */
export interface StoredThresholds {
  /** The values of one project's verifier, of all scopes. */
  of(projectId: string, verifier: string): readonly ScopedValue[];
}

/** Loads the current values of all scopes with one query per batch. */
export async function loadThresholds(
  ctx: Pick<Ctx, 'sql'>,
  projectIds: readonly string[],
  verifiers: readonly string[],
): Promise<StoredThresholds> {
  const byVerifier = new Map<string, ScopedValue[]>();
  const keyOf = (projectId: string, verifier: string): string => `${projectId} ${verifier}`;
  if (projectIds.length > 0 && verifiers.length > 0) {
    const rows = await ctx.sql<Row[]>`
      select * from (
        select distinct on (project_id, verifier, key, mission_id, task_id) project_id, verifier, key, mission_id, task_id, version, value
        from thresholds where project_id in ${ctx.sql([...new Set(projectIds)])} and verifier in ${ctx.sql([...new Set(verifiers)])}
        order by project_id, verifier, key, mission_id, task_id, version desc
      ) as latest where value is not null
      union all ${definedThresholds(ctx, projectIds, verifiers)}`;
    for (const row of rows) {
      const key = keyOf(row.project_id, row.verifier);
      const values = byVerifier.get(key) ?? [];
      values.push({
        key: row.key,
        missionId: row.mission_id,
        taskId: row.task_id,
        version: row.version,
        value: row.value,
      });
      byVerifier.set(key, values);
    }
  }
  return { of: (projectId, verifier) => byVerifier.get(keyOf(projectId, verifier)) ?? [] };
}

/** The defaults that definitions of custom verifiers state: version 0 of each key. */
function definedThresholds(
  { sql }: Pick<Ctx, 'sql'>,
  projectIds: readonly string[],
  verifiers: readonly string[],
): Fragment {
  return sql`
    select v.project_id, v.slug, stated.key, '', '', 0, stated.value::double precision
    from verifiers v cross join lateral (
      select config from verifier_versions where project_id = v.project_id and slug = v.slug order by version desc limit 1
    ) as latest cross join lateral jsonb_each_text(latest.config -> 'thresholds') as stated(key, value)
    where v.project_id in ${sql([...new Set(projectIds)])} and v.slug in ${sql([...new Set(verifiers)])}
      and not exists (
        select from (
          select value from thresholds t where t.project_id = v.project_id and t.verifier = v.slug and t.key = stated.key
            and t.mission_id = '' and t.task_id = '' order by t.version desc limit 1
        ) as tuned where tuned.value is not null)`;
}
