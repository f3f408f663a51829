import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { newId } from '../../platform';
import { deciding } from './list-changes';

/** A change that may affect verdicts, for a mark on a time axis. */
export interface ChangeMark {
  /** The id of its audit row. */
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  /** `task/pass_threshold`, `task-criteria@3`, or a rule's name; null for project settings. */
  readonly target: string | null;
}

export interface ChangeMarks {
  /** Oldest first; a truncated list contains the newest ones. */
  readonly marks: readonly ChangeMark[];
  readonly isCut: boolean;
}

const dayMs = 86_400_000;
const marksMax = 60;

/** Changes since `from`; for one verifier, its own changes and those that concern all verifiers. */
export async function listMarks(
  { sql, projectId }: ProjectCtx,
  { from, verifier }: { readonly from: Date | undefined; readonly verifier?: string | undefined },
): Promise<ChangeMarks> {
  // Ids begin with the time of their creator's clock: allow one day of tolerance, and filter by
  // `at`.
  const since =
    from === undefined
      ? sql``
      : sql`and id >= ${newId('aud', new Date(from.getTime() - dayMs))} and at >= ${from.toISOString()}::timestamptz`;
  const slug = verifier === undefined ? null : readVerifierName(verifier).slug;
  // The target of a verifier's own setting begins with its name: `task/pass_threshold`,
  // `task-criteria@3`. Settings and providers concern all verifiers. A rule names its verifier,
  // unless the rule was only switched on or off.
  const concerns =
    slug === null
      ? sql``
      : sql`and case
          when action in ('settings.update', 'settings.mission', 'providers.put', 'providers.delete') then true
          when action = 'rules.update' then coalesce(detail ->> 'verifier', ${slug}) = ${slug}
          else target = ${slug} or starts_with(target, ${`${slug}/`}) or starts_with(target, ${`${slug}-`}) or starts_with(target, ${`${slug}@`})
        end`;
  const rows = await sql<{ id: string; at: string; action: string; target: string | null }[]>`
    select id, at, action, target from audit_events
    where project_id = ${projectId} ${since} and action in ${sql([...deciding])} ${concerns}
    order by id desc limit ${marksMax + 1}`;
  return {
    marks: rows
      .slice(0, marksMax)
      .map((row) => ({ ...row, at: new Date(row.at) }))
      .sort((a, b) => a.at.getTime() - b.at.getTime()),
    isCut: rows.length > marksMax,
  };
}
