import { enterProject } from '../access';
import { type Ctx, notifyChanged } from '../platform';
import type { PromptDefaults } from '../prompts';
import { updateTrust } from './update-trust';

const updater = { kind: 'system', id: 'trust', label: 'trust' } as const;

/**
 * Labels age without causing an event, and every project is therefore checked at least this often.
 */
const maxIntervalMs = 10 * 60_000;
/**
 * A check may have missed data stored less than this long before it: a label is counted only a
 * while after it is stored (`refreshPending`), and a change becomes visible only when its
 * transaction commits.
 */
const mayMissMs = 15_000;
/** A project with constant activity is checked no more often than this. */
const minIntervalMs = 4_000;

/**
 * Updates trust in every project with a relevant change, or without a check for ten minutes. Logs a
 * project that fails and retries it next time. Any number of workers may run this: a project
 * checked by one worker is not listed for the others. Returns the number of projects.
 */
export async function recheckTrust(
  ctx: Ctx,
  deps: { readonly prompts: PromptDefaults },
  signal?: AbortSignal,
): Promise<number> {
  const projects = await listTrustToCheck(ctx);
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

/** Uses the database clock and a few index lookups per project. */
export async function listTrustToCheck({
  sql,
}: Pick<Ctx, 'sql'>): Promise<{ id: string; slug: string }[]> {
  return sql<{ id: string; slug: string }[]>`
    select p.id, p.slug from projects p
    cross join lateral (select max(looked_at) as at from trust_states where project_id = p.id) t
    where (t.at is null and exists (select from verdict_rollups r where r.project_id = p.id))
      or t.at < now() - ${maxIntervalMs} * interval '1 ms'
      or (t.at < now() - ${minIntervalMs} * interval '1 ms' and (
        exists (select from labels l where l.project_id = p.id and l.created_at > t.at - ${mayMissMs} * interval '1 ms')
        or exists (select from trust_settings s where s.project_id = p.id and s.updated_at > t.at - ${mayMissMs} * interval '1 ms')
        or exists (select from label_policies y where y.project_id = p.id and y.created_at > t.at - ${mayMissMs} * interval '1 ms')
        or exists (select from prompt_labels m where m.project_id = p.id and m.moved_at > t.at - ${mayMissMs} * interval '1 ms')
        or exists (select from verifier_versions v where v.project_id = p.id and v.created_at > t.at - ${mayMissMs} * interval '1 ms')
        or exists (select from anchor_runs a where a.project_id = p.id and a.ended_at > t.at - ${mayMissMs} * interval '1 ms')
        or exists (select from anchor_sets a where a.project_id = p.id and a.retired_at > t.at - ${mayMissMs} * interval '1 ms')
      ))
    order by random()`;
}
