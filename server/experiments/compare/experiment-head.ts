import type { ProjectCtx } from '../../access';
import { notFound } from '../../platform';
import { type ExperimentState, stateOfRun } from '../runs/experiment';

export interface ExperimentHead {
  readonly id: string;
  readonly name: string;
  readonly datasetId: string;
  readonly datasetSlug: string;
  readonly datasetVersion: number;
  readonly split: string | null;
  readonly repetitions: number;
  readonly target: Readonly<Record<string, unknown>>;
  readonly verifiers: readonly string[];
  readonly branch: string | null;
  readonly commit: string | null;
  readonly baselineId: string | null;
  readonly state: ExperimentState;
  readonly reason: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** The address of its page. */
  readonly url: string;
}

export interface HeadRow {
  id: string;
  name: string;
  dataset_id: string;
  dataset_slug: string;
  dataset_version: number;
  split: string | null;
  repetitions: number;
  target: Record<string, unknown>;
  verifiers: string[];
  branch: string | null;
  commit: string | null;
  baseline_id: string | null;
  state: ExperimentState;
  reason: string | null;
  created_by: string;
  created_at: string;
  finished_at: string | null;
}

/** The tables of `headColumns`, under their names. */
export const headTables = ({ sql }: Pick<ProjectCtx, 'sql'>) => sql`
  experiments e left join jobs j on j.project_id = e.project_id and j.id = e.job_id`;

/** Columns of `experiments e`. The encrypted headers are not among them. */
export const headColumns = ({ sql }: Pick<ProjectCtx, 'sql'>) => sql`
  e.id, e.name, e.dataset_id, e.dataset_slug, e.dataset_version, e.split, e.repetitions, e.target,
  to_jsonb(e.verifiers) as verifiers, e.branch, e.commit, e.baseline_id, ${stateOfRun(sql)} as state,
  coalesce(e.reason, j.reason) as reason,
  e.created_by, e.created_at, e.finished_at`;

export function headOf(ctx: ProjectCtx, row: HeadRow): ExperimentHead {
  return {
    id: row.id,
    name: row.name,
    datasetId: row.dataset_id,
    datasetSlug: row.dataset_slug,
    datasetVersion: row.dataset_version,
    split: row.split,
    repetitions: row.repetitions,
    target: row.target,
    verifiers: row.verifiers,
    branch: row.branch,
    commit: row.commit,
    baselineId: row.baseline_id,
    state: row.state,
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
    url: `${ctx.env.webUrl}/p/${ctx.projectSlug}/experiments/${encodeURIComponent(row.id)}`,
  };
}

/** In the given order. @throws AssayError not_found if one is missing */
export async function getHeads(
  ctx: ProjectCtx,
  ids: readonly string[],
): Promise<readonly ExperimentHead[]> {
  const { sql, projectId } = ctx;
  const rows = await sql<HeadRow[]>`
    select ${headColumns(ctx)} from ${headTables(ctx)}
    where e.project_id = ${projectId} and e.id in ${sql([...ids])}`;
  const found = new Map(rows.map((row) => [row.id, headOf(ctx, row)]));
  return ids.map((id) => {
    const head = found.get(id);
    if (head === undefined) throw notFound('experiment');
    return head;
  });
}
