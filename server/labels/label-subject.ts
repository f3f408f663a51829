import type { ProjectCtx } from '../access';
import { findVerifier, storedKindOf, type Verifier } from '../catalog';
import {
  conflict,
  deletedMessage,
  findDeletedSubjects,
  notFound,
  refused,
  sha256,
} from '../platform';
import { attachLabels } from './attach-labels';
import type { WireLabel } from './input';
import { getJudged } from './judged';
import { overrideVerdict, readLabelContent, storeLabel } from './override';

/**
 * Appends a person's label on a subject: a ruling, a grade or a score. It belongs to the verifier's
 * latest verdict on the subject. Without one it is kept, as a blind vote, and belongs to the
 * verifier's first verdict once there is one (`attachLabels`).
 * @returns the label's id
 * @throws AssayError as `overrideVerdict`; not_found for an unknown subject; refused for an unknown
 * verifier, or another one than the verification's; conflict for a deleted subject
 */
export async function labelSubject(ctx: ProjectCtx, input: WireLabel): Promise<string> {
  const { turn_id: turn, subject_id: subject, verification_id, verifier, ...said } = input;
  if (verification_id != null) {
    if (verifier != null) await refuseOther(ctx, verification_id, verifier);
    return (await overrideVerdict(ctx, { ...said, verdictId: verification_id })).id;
  }
  const subjectId = turn ?? subject ?? '';
  const slug = verifier ?? '';
  const found = await findVerifier(ctx, ctx.projectId, slug);
  if (found === null) throw refusedVerifier(`names no verifier of this project: "${slug}"`);
  const contentHash = sha256(JSON.stringify(['label', slug, subjectId, said]));
  if (await isRepeated(ctx, said.id ?? null, contentHash)) return said.id ?? '';
  const verdictId = await findLatestVerdict(ctx, subjectId, found);
  if (verdictId !== null)
    return (await overrideVerdict(ctx, { ...said, verdictId, contentHash })).id;
  await requireSubject(ctx, subjectId, turn == null ? 'subject' : 'turn');
  const labelled = {
    kind: found.kind.name,
    subjectId,
    verifierSlug: slug,
    verdict: null,
    id: null,
    policyVersion: null,
    excerpt: null,
  };
  const blind = said.verdict != null;
  const content = readLabelContent(ctx, { ...said, blind }, labelled);
  const { id } = await storeLabel(ctx, labelled, content, { contentKey: null, contentHash });
  // The verdict may have settled in the meantime, before it could see this label.
  const settled = await findLatestVerdict(ctx, subjectId, found);
  if (settled !== null) await attachLabels(ctx, [settled]);
  return id;
}

/**
 * Whether the same request was stored before. Its verdict may have settled since, so it is compared
 * as sent.
 * @throws AssayError conflict if the id was used with other content
 */
async function isRepeated(
  { sql, projectId }: ProjectCtx,
  id: string | null,
  contentHash: string,
): Promise<boolean> {
  if (id === null) return false;
  const [known] = await sql<{ content_hash: string }[]>`
    select content_hash from labels where project_id = ${projectId} and id = ${id}`;
  if (known !== undefined && known.content_hash !== contentHash)
    throw conflict(`id: was used before with other content: "${id}"`);
  return known !== undefined;
}

async function refuseOther(ctx: ProjectCtx, verdictId: string, verifier: string): Promise<void> {
  const { verifierSlug } = await getJudged(ctx, verdictId);
  if (verifierSlug !== verifier)
    throw refusedVerifier(`is not that of the verification, "${verifierSlug}"; leave it out`);
}

function refusedVerifier(message: string): Error {
  return refused(`verifier: ${message}`, [{ path: 'verifier', message }]);
}

async function findLatestVerdict(
  { sql, projectId }: ProjectCtx,
  subjectId: string,
  { kind, slug }: Verifier,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from verdicts
    where project_id = ${projectId} and subject_kind = ${storedKindOf({ kind, slug })} and subject_id = ${subjectId}
      and verifier_slug = ${slug}
    order by superseded, settled_at desc, id desc limit 1`;
  return row?.id ?? null;
}

async function requireSubject(
  ctx: ProjectCtx,
  subjectId: string,
  what: 'turn' | 'subject',
): Promise<void> {
  const { sql, projectId } = ctx;
  if ((await findDeletedSubjects(ctx, [subjectId])).size > 0) throw conflict(deletedMessage);
  const [row] = await sql`
    select 1 from turns where project_id = ${projectId} and id = ${subjectId}
    union all select 1 from subjects where project_id = ${projectId} and id = ${subjectId} limit 1`;
  if (row === undefined) throw notFound(what);
}
