import type { SourceSettings } from '../domain';
import type { Ctx } from '../platform';
import type { ClaimedWork } from '../queue';
import { asSources } from './load';

/**
 * Which parts of a piece of work's turn are sources, by the rule that sent it as the rule is now.
 * Null: no rule did, the rule is gone, or it names none. @throws Error where this release cannot
 * read the setting: without it right figures would pass for wrong ones
 */
export type SourcesOfWork = (
  work: Pick<ClaimedWork, 'projectId' | 'rule'>,
) => SourceSettings | null;

/** The settings of the rules that sent this work, read at once. */
export async function loadRuleSources(
  ctx: Pick<Ctx, 'sql'>,
  works: readonly Pick<ClaimedWork, 'projectId' | 'rule'>[],
): Promise<SourcesOfWork> {
  const ruled = works.flatMap(({ projectId, rule }) =>
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

/** The rule that sent a turn to a verifier; null where none did. */
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
