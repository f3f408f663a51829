import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { cleanText } from '../domain';
import { type Database, notFound, refused } from '../platform';
import type { PromptDefaults } from './defaults';
import type { PromptIssue } from './front-matter';
import { readPrompt } from './read';

/** Prompts are edited by hand: more versions than this indicate a runaway program. */
const maxVersions = 1000;

interface SaveInput {
  readonly slug: string;
  readonly body: string;
  readonly message: string;
}

/**
 * Stores a text as the prompt's next version. Runs use it once a label points to it. Saving the
 * text of the latest version again returns that version, so that a repeated request stores nothing
 * twice.
 * @throws AssayError not_found (no such prompt), refused (its fault, with its line)
 */
export async function savePrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  { slug, body, message }: SaveInput,
): Promise<{ readonly version: number; readonly isNew: boolean }> {
  const fallback = defaults.get(slug);
  if (fallback === undefined) throw notFound('prompt');
  const read = readPrompt(body, fallback.front);
  if (read.state !== 'valid') throw refusedFor('body', read.issues);
  return ctx.db.transaction(async (tx) => {
    await lockPrompt(ctx, tx, slug);
    const [latest] = await tx.execute<{ version: number; body: string }>(sql`
      select version, body from prompt_versions where project_id = ${ctx.projectId} and slug = ${slug} order by version desc limit 1`);
    if ((latest?.body ?? fallback.body) === body)
      return { version: latest?.version ?? 0, isNew: false };
    const version = (latest?.version ?? 0) + 1;
    if (version > maxVersions) throw refused(`a prompt has at most ${maxVersions} versions`);
    await tx.insert(schema.promptVersions).values({
      projectId: ctx.projectId,
      slug,
      version,
      body,
      message: cleanText(message).text,
      createdBy: ctx.actor.label,
    });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'prompts.save',
      target: `${slug}@${version}`,
      detail: { message: cleanText(message).text },
    });
    return { version, isNew: true };
  });
}

/**
 * Serialises changes to one prompt, so that no two get the same number, and each audit row records
 * what it replaced.
 */
export async function lockPrompt(ctx: ProjectCtx, tx: Database, slug: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`prompts ${ctx.projectId} ${slug}`}, 0))`,
  );
}

export function refusedFor(path: string, issues: readonly PromptIssue[]): Error {
  const details = issues.map(({ line, message }) => ({
    path,
    message: line === null ? message : `has a fault in line ${line}: ${message}`,
  }));
  return refused(`${path}: ${details[0]?.message ?? 'not valid'}`, details);
}
