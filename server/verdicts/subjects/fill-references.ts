import type { ProjectCtx } from '../../access';
import { refused } from '../../platform';
import type { AnyKind, NamedVerification } from '../../verifiers';
import { loadVerdicts } from '../get';
import type { SubjectContent } from './subject-content';

/**
 * Inserts the results of the verifications that a subject refers to. The caller's own claims about
 * them are ignored.
 * @throws AssayError refused, also for an id of another project
 */
export async function fillReferences(
  ctx: ProjectCtx,
  kind: AnyKind,
  content: SubjectContent,
): Promise<SubjectContent> {
  const { references } = kind;
  const named = references?.of(content.subject) ?? [];
  if (references === undefined || named.length === 0) return content;
  const found = await findVerifications(ctx, [...new Set(named.map(({ id }) => id))]);
  const unknown = named.filter(({ id }) => !found.has(id));
  if (unknown.length > 0) {
    const details = unknown.map(({ id, path }) => ({
      path,
      message: `names no verification of this project: "${id}"`,
    }));
    throw refused(`${details[0]?.path}: ${details[0]?.message}`, details);
  }
  return { ...content, subject: references.fill(content.subject, found) };
}

async function findVerifications(
  ctx: ProjectCtx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedVerification>> {
  const found = new Map<string, NamedVerification>();
  const waiting = await ctx.sql<{ id: string }[]>`
    select id from work where project_id = ${ctx.projectId}
      and id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;
  for (const { id } of waiting) found.set(id, { score: null, verdict: null });
  // This is read after the pending work, so that a verdict that settles in the meantime is found in
  // one of the two queries.
  for (const { id, score, verdict, ruled } of await loadVerdicts(ctx, ids)) {
    // Scores above 1 are points, not shares.
    found.set(id, {
      score: score !== null && score <= 1 ? score : null,
      verdict: ruled?.verdict ?? verdict,
    });
  }
  return found;
}
