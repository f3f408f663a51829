import type { SourceSettings } from '../domain';
import type { Ctx } from '../platform';
import type { ClaimedWork } from '../queue';
import { asSources } from './load';

/**
 * The parts of a turn that count as sources, from the current version of the rule that planned the
 * work. Null if no rule planned it, the rule was deleted, or the rule names no parts.
 * @throws Error if this release cannot read the setting: without it, correct figures would count as
 * wrong
 */
export type SourcesOfWork = (
  work: Pick<ClaimedWork, 'projectId' | 'rule'>,
) => SourceSettings | null;

/** Loads the settings of the rules that planned this work in one query. */
export async function loadRuleSources(
  ctx: Pick<Ctx, 'sql'>,
  claimed: readonly Pick<ClaimedWork, 'projectId' | 'rule'>[],
): Promise<SourcesOfWork> {
  const ruled = claimed.flatMap(({ projectId, rule }) =>
    rule === null ? [] : [{ p: projectId, n: rule }],
  );
  const rows =
    ruled.length === 0
      ? []
      : await ctx.sql<{ project_id: string; name: string; sources: unknown }[]>`
          select r.project_id, r.name, r.sources
          from (select distinct p, n from jsonb_to_recordset(${JSON.stringify(ruled)}::text::jsonb) as w(p text, n text)) as sent
          join rules r on r.project_id = sent.p and r.name = sent.n where r.sources is not null`;
  const stored = new Map(rows.map((row) => [keyOf(row.project_id, row.name), row.sources]));
  return ({ projectId, rule }) => {
    const key = rule === null ? null : keyOf(projectId, rule);
    if (key === null || !stored.has(key)) return null;
    const sources = asSources(stored.get(key));
    if (sources === null)
      throw new Error(`this release cannot read the sources of the rule "${rule}"`);
    return sources;
  };
}

const keyOf = (projectId: string, rule: string): string => `${projectId} ${rule}`;

/** The rule that selected a turn for a verifier; null if none did. */
export async function findSendingRule(
  { sql }: Pick<Ctx, 'sql'>,
  {
    projectId,
    subjectId,
    verifier,
  }: { readonly projectId: string; readonly subjectId: string; readonly verifier: string },
): Promise<string | null> {
  const [sent] = await sql<{ rule: string }[]>`
    select rule from decisions
    where project_id = ${projectId} and subject_id = ${subjectId} and verifier = ${verifier} and verdict_id is not null
    order by revision desc, rule limit 1`;
  return sent?.rule ?? null;
}
