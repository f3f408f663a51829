import { enterProject, type ProjectCtx } from '../../access';
import { ModelUsage } from '../../domain';
import { priceUsage } from '../../llm';
import { type Ctx, notifyChanged } from '../../platform';
import type { ClaimedJob, JobProgress, JobStep } from '../../queue';
import { loadModelSettings } from './model-settings';

/** The job that computes stored costs again, after a change of aliases or own prices. */
export const recountKind = 'models.recount';

/** The last processed row. */
interface RecountCursor {
  readonly of: 'turns' | 'traces';
  readonly id: string;
}

/** Rows whose cost changed; of the folders above, to update their copies. */
export type FollowCosts = (
  ctx: ProjectCtx,
  changed: { readonly of: 'turns' | 'traces'; readonly ids: readonly string[] },
) => Promise<void>;

/** Rows per step. */
const stepRows = 500;

/**
 * A step of this job: at most 500 turns or traces, by id. Repeating it changes nothing.
 * @param follow updates copies of the costs of turns and traces
 */
export function createRecountStep(ctx: Ctx, { follow }: { readonly follow: FollowCosts }): JobStep {
  return async (job: ClaimedJob): Promise<JobProgress> => {
    const project = enterProject(
      ctx,
      { id: job.projectId, slug: job.projectSlug },
      { kind: 'system', id: 'job', label: job.createdBy },
    );
    const at = (job.cursor as RecountCursor | null) ?? { of: 'turns', id: '' };
    const { rows, changed } = await recountPage(project, at);
    await follow(project, { of: at.of, ids: changed });
    const last = rows.at(-1);
    const next: RecountCursor | null =
      last !== undefined
        ? { of: at.of, id: last }
        : at.of === 'turns'
          ? { of: 'traces', id: '' }
          : null;
    if (next === null)
      for (const topic of ['turns', 'traces'] as const) notifyChanged(ctx, job.projectId, topic);
    return { cursor: next, done: job.done + rows.length, total: null, errors: [], result: null };
  };
}

interface UsedRow {
  id: string;
  usage: unknown;
  at: string;
}

async function recountPage(
  ctx: ProjectCtx,
  { of, id }: RecountCursor,
): Promise<{ rows: string[]; changed: string[] }> {
  const { sql, projectId } = ctx;
  const table = sql(of);
  const rows = await sql<UsedRow[]>`
    select id, usage, coalesce(started_at, received_at) as at from ${table}
    where project_id = ${projectId} and id > ${id} and usage is not null order by id limit ${stepRows}`;
  if (rows.length === 0) return { rows: [], changed: [] };
  const settings = (await loadModelSettings(ctx, [projectId]))(projectId);
  const priced = rows.map((row) => {
    const usage = ModelUsage.array().parse(row.usage);
    const { costUsd, basis } = priceUsage(usage, settings, new Date(row.at));
    return { id: row.id, cost: costUsd, cb: basis };
  });
  const changed = await sql<{ id: string }[]>`
    update ${table} c set cost_usd = r.cost, cost_basis = r.cb
    from jsonb_to_recordset(${JSON.stringify(priced)}::text::jsonb) as r(id text, cost double precision, cb text[])
    where c.project_id = ${projectId} and c.id = r.id and (c.cost_usd, c.cost_basis) is distinct from (r.cost, r.cb)
    returning c.id`;
  return { rows: rows.map((row) => row.id), changed: changed.map((row) => row.id) };
}
