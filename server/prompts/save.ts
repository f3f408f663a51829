import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { cleanText } from '../domain';
import { conflict, type Database, refused } from '../platform';
import type { PromptBase, PromptDefaults } from './defaults';
import {
  applicationKind,
  findBase,
  customBase,
  readApplicationPrompt,
  readCustomPrompt,
} from './base';
import type { PromptFront, PromptIssue } from './front-matter';
import { PromptSlug } from './input';
import { type PromptRead, readPrompt } from './read';

/** Prompts are edited by hand: more versions than this indicate a runaway program. */
const maxVersions = 1000;
/** Maximum number of prompts of one project, those of its judges included. */
const maxPrompts = 1000;

export interface SavedPrompt {
  readonly version: number;
  /** False if the latest version has the same text. */
  readonly isNew: boolean;
}

export interface SaveInput {
  readonly slug: string;
  readonly body: string;
  readonly message: string;
}

/**
 * Stores a text as the prompt's next version. Runs use it once a label points to it. Saving the
 * text of the latest version again returns that version, so that a repeated request stores nothing
 * twice. A slug that does not exist becomes a prompt of an application.
 * @throws AssayError refused (its fault, with its line; a slug that cannot be used)
 */
export async function savePrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  input: SaveInput,
): Promise<SavedPrompt> {
  const { slug, body } = input;
  const base = await findBase(ctx, defaults, slug);
  return ctx.db.transaction(async (tx) => {
    if (base === null) return createPromptIn(ctx, tx, input);
    await lockPrompt(ctx, tx, slug);
    requireText(
      base.kind === applicationKind
        ? readApplicationPrompt(body)
        : readPrompt(
            body,
            (base.version === 0 ? null : await latestFrontIn(ctx, tx, slug)) ?? base.front,
          ),
    );
    return storeVersionIn(ctx, tx, input, base);
  });
}

/**
 * Stores the first version of a prompt of an application, which is in production at once.
 * @throws AssayError refused (a slug that cannot be used, a fault of the text with its line, too
 * many prompts), conflict (created by another request)
 */
export async function createPromptIn(
  ctx: ProjectCtx,
  tx: Database,
  input: SaveInput,
): Promise<SavedPrompt> {
  const { projectId } = ctx;
  const slug = PromptSlug.safeParse(input.slug);
  if (!slug.success) throw refusedSlug(slug.error.issues[0]?.message ?? 'is not a slug');
  requireText(readApplicationPrompt(input.body));
  await lockPrompt(ctx, tx, slug.data);
  const [before] = await tx.execute<{ body: string }>(sql`
    select body from prompt_versions where project_id = ${projectId} and slug = ${slug.data} order by version limit 1`);
  if (before !== undefined && customBase(slug.data, before.body) !== null)
    throw conflict(`the prompt "${slug.data}" was created meanwhile; send the request again`);
  if (before !== undefined)
    throw refusedSlug(`"${slug.data}" has versions of an earlier release: choose another slug`);
  const [prompts] = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from prompt_versions where project_id = ${projectId} and version = 1`);
  if ((prompts?.n ?? 0) >= maxPrompts)
    throw refused(`a project has at most ${maxPrompts} prompts; save a version of another one`);
  const saved = await storeVersionIn(ctx, tx, input, null);
  await labelFirstIn(ctx, tx, slug.data, 'prompts.label');
  return saved;
}

/** Puts the first version of a prompt of the project into production: nothing ran before it. */
export async function labelFirstIn(
  ctx: ProjectCtx,
  tx: Database,
  slug: string,
  action: 'prompts.promote' | 'prompts.label',
): Promise<void> {
  await tx.execute(sql`
    insert into prompt_labels (project_id, slug, label, version, moved_by)
    values (${ctx.projectId}, ${slug}, 'production', 1, ${ctx.actor.label}) on conflict do nothing`);
  await recordAudit(ctx, tx, ctx.actor, {
    projectId: ctx.projectId,
    action,
    target: `${slug}@1`,
    detail: { label: 'production', from: null, to: 1 },
  });
}

function requireText(read: PromptRead): void {
  if (read.state !== 'valid') throw refusedFor('body', read.issues);
}

export const refusedSlug = (message: string): Error =>
  refused(`slug: ${message}`, [{ path: 'slug', message }]);

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
 * The front matter of the latest version of a prompt of the project; that of a judge has the
 * variables that its verifier maps. Null if there is no such prompt.
 */
export async function latestFrontIn(
  { projectId }: Pick<ProjectCtx, 'projectId'>,
  tx: Pick<Database, 'execute'>,
  slug: string,
): Promise<PromptFront | null> {
  const [latest] = await tx.execute<{ body: string }>(sql`
    select body from prompt_versions where project_id = ${projectId} and slug = ${slug} order by version desc limit 1`);
  if (latest === undefined) return null;
  const read = readCustomPrompt(latest.body);
  return read.state === 'valid' ? read.front : null;
}

export const latestFront = (ctx: ProjectCtx, slug: string): Promise<PromptFront | null> =>
  latestFrontIn(ctx, ctx.db, slug);

/**
 * Serialises changes to one prompt, so that no two get the same number, and each audit row records
 * the replaced version.
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
