import { createHash } from 'node:crypto';
import type { ProjectCtx } from '../access';
import { sliceMembers, type TurnContent } from '../domain';
import { sha256 } from '../platform';
import { findTurn } from '../ingest';
import type { JudgedVerdict } from './judged';
import { kinds } from '../verifiers';

/**
 * MD5 of the verifier and the excerpt. Equal contents have equal keys, but equal keys only suggest
 * equal contents.
 */
export function excerptKeyOf({
  verifierSlug,
  excerpt,
}: Pick<JudgedVerdict, 'verifierSlug' | 'excerpt'>): string {
  return createHash('md5').update(`${verifierSlug}\n${excerpt}`).digest('hex');
}

/**
 * The hex SHA-256 of the judged content without ids and times: for a turn its request, answer and
 * sources, for any other subject its content as sent. Null if the content is no longer stored, has
 * a newer revision, or cannot be read, since it then cannot be compared with others.
 */
export async function findContentKey(
  ctx: ProjectCtx,
  judged: Pick<JudgedVerdict, 'kind' | 'subjectKind' | 'subjectId' | 'revision'>,
): Promise<string | null> {
  if (judged.subjectKind === 'turn') {
    const turn = await findTurn(ctx, judged.subjectId).catch(unreadable(ctx, judged.subjectId));
    return turn === null || turn.revision !== judged.revision
      ? null
      : keyOfTurn(judged.kind, turn.content);
  }
  const [row] = await ctx.sql<{ content: string; revision: number }[]>`
    select content, revision from subjects
    where project_id = ${ctx.projectId} and kind = ${judged.subjectKind} and id = ${judged.subjectId}`;
  return row === undefined || row.revision !== judged.revision
    ? null
    : keyOfSubject(judged.subjectKind, row.content);
}

/** Returns null for a turn whose stored text is damaged, and rethrows storage faults. */
function unreadable(ctx: ProjectCtx, subject: string): (error: unknown) => null {
  return (error) => {
    if (!(error instanceof SyntaxError)) throw error;
    ctx.log.warn({ err: error, subject }, 'a turn cannot be read: its ruling is not reused');
    return null;
  };
}

/**
 * The key excludes the gateway's record of a call. A verifier that judges by that record (`turn`)
 * therefore has no key.
 */
export function keyOfTurn(kind: string, content: TurnContent): string | null {
  if (kinds.get(kind)?.readsTurns !== true) return null;
  const { input, tools, context, output, answer, envelope, relayedFrom } = content;
  return sha256(
    JSON.stringify([
      'turn',
      input.map(({ role, content: said }) => [role, said]),
      tools.map((tool) => [tool.name, tool.arguments, tool.result]),
      context.map((block) => block.content),
      output,
      answer,
      envelope ?? null,
      relayedFrom ?? null,
    ]),
  );
}

/**
 * Slices the JSON text instead of parsing it, so that numbers that JSON.parse would make equal
 * remain distinct.
 * @param content JSON text, `{"subject":…,"facts":…}`
 */
export function keyOfSubject(kind: string, content: string): string | null {
  const slice = sliceMembers(content).get('subject');
  return slice === undefined ? null : sha256(`${kind}\n${content.slice(slice.start, slice.end)}`);
}
