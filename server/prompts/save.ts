import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { cleanText } from '../domain';
import { type Database, notFound, refused } from '../platform';
import type { PromptBase, PromptDefaults } from './defaults';
import { findBase, readOwnPrompt } from './base';
import type { PromptFront, PromptIssue } from './front-matter';
import { readPrompt } from './read';

/** Prompts are edited by hand: more versions than this indicate a runaway program. */
const maxVersions = 1000;

export interface SavedPrompt {
  readonly version: number;
  /** False if the latest version has the same text. */
  readonly isNew: boolean;
}

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
): Promise<SavedPrompt> {
  const base = await findBase(ctx, defaults, slug);
  if (base === null) throw notFound('prompt');
  return ctx.db.transaction(async (tx) => {
    await lockPrompt(ctx, tx, slug);
    const contract = base.version === 0 ? base.front : await latestFrontIn(ctx, tx, slug);
    const read = readPrompt(body, contract ?? base.front);
    if (read.state !== 'valid') throw refusedFor('body', read.issues);
    return storeVersionIn(ctx, tx, { slug, body, message }, base);
  });
}

/**
 * Stores a text as the next version, or returns the latest one if it is the same. The caller holds
 * the lock of the prompt, and has checked the text.
 * @param base null for the first version of a prompt of the project
 */
export async function storeVersionIn(
  ctx: ProjectCtx,
  tx: Database,
  { slug, body, message }: SaveInput,
  base: PromptBase | null,
): Promise<SavedPrompt> {
  const [latest] = await tx.execute<{ version: number; body: string }>(sql`
    select version, body from prompt_versions where project_id = ${ctx.projectId} and slug = ${slug} order by version desc limit 1`);
  if ((latest?.body ?? base?.body) === body)
    return { version: latest?.version ?? base?.version ?? 0, isNew: false };
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
}

/**
 * The front matter of the latest version of a prompt of the project: the variables that its
 * verifier maps. Null if there is no such prompt.
 */
export async function latestFrontIn(
  { projectId }: Pick<ProjectCtx, 'projectId'>,
  tx: Pick<Database, 'execute'>,
  slug: string,
): Promise<PromptFront | null> {
  const [latest] = await tx.execute<{ body: string }>(sql`
    select body from prompt_versions where project_id = ${projectId} and slug = ${slug} order by version desc limit 1`);
  if (latest === undefined) return null;
  const read = readOwnPrompt(latest.body);
  return read.state === 'valid' ? read.front : null;
}

export const latestFront = (ctx: ProjectCtx, slug: string): Promise<PromptFront | null> =>
  latestFrontIn(ctx, ctx.db, slug);

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
