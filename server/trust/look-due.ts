import { enterProject } from '../access';
import { type Ctx, tellChanged } from '../platform';
import type { PromptDefaults } from '../prompts';
import { lookAtTrust } from './look-at-trust';

const looker = { kind: 'system', id: 'trust', label: 'trust' } as const;

/** Labels grow old without anything happening: so often every project is looked at. */
const everyMs = 10 * 60_000;
/**
 * A label is counted a moment after it came (`refreshDue`), and a change is seen when its
 * transaction ends: what is so much older than a look may not have been in it.
 */
const lateMs = 15_000;
/** A project where something happens all the time is looked at no more often than this. */
const leastMs = 4_000;

/**
 * Looks at every project of which something was changed that trust rests on, or that no one has
 * looked at for ten minutes. What fails for one is logged, and tried at the next look. Any number
 * of workers may: a look that another has made makes none due. Returns how many were looked at.
 */
export async function lookWhereDue(
  ctx: Ctx,
  deps: { readonly prompts: PromptDefaults },
  signal?: AbortSignal,
): Promise<number> {
  const due = await listTrustDue(ctx);
  for (const project of due) {
    if (signal?.aborted === true) break;
    try {
      await lookAtTrust(enterProject(ctx, project, looker), { ...deps, ifFree: true });
      tellChanged(ctx, project.id, 'trust');
    } catch (error) {
      ctx.log.warn({ err: error, project: project.id }, 'trust: not looked at');
    }
  }
  return due.length;
}

/** By the database's clock: a few index probes a project. */
export async function listTrustDue({
  sql,
}: Pick<Ctx, 'sql'>): Promise<{ id: string; slug: string }[]> {
  return sql<{ id: string; slug: string }[]>`
    select p.id, p.slug from projects p
    cross join lateral (select max(looked_at) as at from trust_states where project_id = p.id) t
    where (t.at is null and exists (select from verdict_rollups r where r.project_id = p.id))
      or t.at < now() - ${everyMs} * interval '1 ms'
      or (t.at < now() - ${leastMs} * interval '1 ms' and (
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
