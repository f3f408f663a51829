import { enterProject } from '../access';
import { type Ctx, notifyChanged } from '../platform';
import type { PromptDefaults } from '../prompts';
import { updateTrust } from './update-trust';

const updater = { kind: 'system', id: 'trust', label: 'trust' } as const;

/** Labels age without any event: every project is checked at this interval. */
const everyMs = 10 * 60_000;
/**
 * A label is counted shortly after it was stored (`refreshPending`), and a change becomes visible
 * when its transaction ends: one less than this older than a check may not be part of it.
 */
const lateMs = 15_000;
/** A project with constant activity is checked no more often than this. */
const minMs = 4_000;

/**
 * Checks every project with a change that affects trust, or without a check for ten minutes. A
 * failure of one is logged, and retried next time. Any number of workers may run it: after one
 * worker's check no project is left. Returns how many were checked.
 */
export async function updateStaleTrust(
  ctx: Ctx,
  deps: { readonly prompts: PromptDefaults },
  signal?: AbortSignal,
): Promise<number> {
  const projects = await listStaleTrust(ctx);
  for (const project of projects) {
    if (signal?.aborted === true) break;
    try {
      await updateTrust(enterProject(ctx, project, updater), { ...deps, ifFree: true });
      notifyChanged(ctx, project.id, 'trust');
    } catch (error) {
      ctx.log.warn({ err: error, project: project.id }, 'trust: update failed');
    }
  }
  return projects.length;
}

/** By the database's clock: a few index probes per project. */
export async function listStaleTrust({
  sql,
}: Pick<Ctx, 'sql'>): Promise<{ id: string; slug: string }[]> {
  return sql<{ id: string; slug: string }[]>`
    select p.id, p.slug from projects p
    cross join lateral (select max(looked_at) as at from trust_states where project_id = p.id) t
    where (t.at is null and exists (select from verdict_rollups r where r.project_id = p.id))
      or t.at < now() - ${everyMs} * interval '1 ms'
      or (t.at < now() - ${minMs} * interval '1 ms' and (
        exists (select from labels l where l.project_id = p.id and l.created_at > t.at - ${lateMs} * interval '1 ms')
        or exists (select from trust_settings s where s.project_id = p.id and s.updated_at > t.at - ${lateMs} * interval '1 ms')
        or exists (select from label_policies y where y.project_id = p.id and y.created_at > t.at - ${lateMs} * interval '1 ms')
        or exists (select from prompt_labels m where m.project_id = p.id and m.moved_at > t.at - ${lateMs} * interval '1 ms')
        or exists (select from verifier_versions v where v.project_id = p.id and v.created_at > t.at - ${lateMs} * interval '1 ms')
        or exists (select from anchor_runs a where a.project_id = p.id and a.ended_at > t.at - ${lateMs} * interval '1 ms')
        or exists (select from anchor_sets a where a.project_id = p.id and a.retired_at > t.at - ${lateMs} * interval '1 ms')
      ))
    order by random()`;
}
