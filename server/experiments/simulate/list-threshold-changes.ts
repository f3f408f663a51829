import type { ProjectCtx } from '../../access';
import type { ThresholdChange } from './simulation';

interface Row {
  key: string;
  mission_id: string;
  task_id: string;
  version: number;
  value: number | null;
  before: number | null;
  reason: string | null;
  created_by: string;
  created_at: string;
  is_latest: boolean;
}

const max = 200;

/** Every version of every scope of a verifier's thresholds, newest first, at most 200. */
export async function listThresholdChanges(
  { sql, projectId }: ProjectCtx,
  { verifier }: { readonly verifier: string },
): Promise<ThresholdChange[]> {
  const rows = await sql<Row[]>`
    select key, mission_id, task_id, version, value, reason, created_by, created_at,
      lag(value) over place as before, lead(version) over place is null as is_latest
    from thresholds where project_id = ${projectId} and verifier = ${verifier}
    window place as (partition by key, mission_id, task_id order by version)
    order by created_at desc, key, mission_id, task_id, version desc limit ${max}`;
  return rows.map((row) => ({
    verifier,
    key: row.key,
    missionId: row.mission_id || null,
    taskId: row.task_id || null,
    version: row.version,
    value: row.value,
    before: row.before,
    reason: row.reason,
    by: row.created_by,
    at: new Date(row.created_at),
    isCurrent: row.is_latest,
  }));
}
