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
      ) as latest where value is not null`;
    for (const row of rows) {
      const key = keyOf(row.project_id, row.verifier);
      const held = byVerifier.get(key) ?? [];
      held.push({
        key: row.key,
        missionId: row.mission_id,
        taskId: row.task_id,
        version: row.version,
        value: row.value,
      });
      byVerifier.set(key, held);
    }
  }
  return { of: (projectId, verifier) => byVerifier.get(keyOf(projectId, verifier)) ?? [] };
}
