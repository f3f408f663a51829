import { and, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { canonicalJson } from '../domain';
import { type Database, refused } from '../platform';
import type { PromptDefaults } from '../prompts';
import { latestConfig, lockVersions, storeVersion } from './config-versions';
import { findVerifier } from './custom-verifiers';
import type { ReadDefinition } from './read-definition';
import { type PromptState, savePromptIn } from './save-prompt';

/** Maximum number of verifiers that a project defines, archived ones included. */
const verifiersMax = 500;

export interface StoredVerifier {
  readonly slug: string;
  readonly version: number;
  /** Whether this call stored a version; false if the definition was stored already. */
  readonly created: boolean;
  /** The stored text of its prompt, and whether runs use it; null for kinds without a prompt. */
  readonly prompt: PromptState | null;
}

/**
 * Creates a verifier or stores its next version, and restores an archived one. The same definition
 * again changes nothing.
 * @throws AssayError refused (another kind than before, too many verifiers, a fault of the prompt)
 */
export function putVerifier(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  read: ReadDefinition,
): Promise<StoredVerifier> {
  return ctx.db.transaction((tx) => putVerifierIn(ctx, tx, defaults, read));
}

async function putVerifierIn(
  ctx: ProjectCtx,
  tx: Database,
  defaults: PromptDefaults,
  read: ReadDefinition,
): Promise<StoredVerifier> {
  const { slug, kind } = read;
  await lockVersions(ctx, tx);
  const before = await findRow(ctx, tx, slug);
  if (before !== null && before.kind !== kind.name)
    throw refused(`kind: "${slug}" is a verifier of the kind ${before.kind}; choose another slug`, [
      { path: 'kind', message: `"${slug}" is of the kind ${before.kind}` },
    ]);
  if (before === null) await createRow(ctx, tx, read);
  else if (before.archivedAt !== null) await setArchived(ctx, tx, slug, null);
  const saved = await savePromptIn(ctx, tx, defaults, read);
  const prompt = saved?.state ?? null;
  const config = read.custom.configOf?.(read.definition, slug) ?? read.definition;
  const latest = before === null ? null : await latestConfig(ctx, tx, slug);
  const isKnown = latest !== null && before?.archivedAt === null && saved?.isNew !== true;
  if (isKnown && isSame(latest.config, config))
    return { slug, version: latest.version, created: false, prompt };
  const version = (latest?.version ?? 0) + 1;
  await storeVersion(ctx, tx, { slug, kind: kind.name, version, config: { ...config } });
  await audit(ctx, tx, slug, 'verifiers.update', { kind: kind.name, version });
  return { slug, version, created: true, prompt };
}

const isSame = (a: unknown, b: unknown): boolean =>
  canonicalJson(JSON.stringify(a)) === canonicalJson(JSON.stringify(b));

async function findRow(
  ctx: ProjectCtx,
  tx: Database,
  slug: string,
): Promise<{ readonly kind: string; readonly archivedAt: Date | null } | null> {
  const { verifiers } = schema;
  const [row] = await tx
    .select({ kind: verifiers.kind, archivedAt: verifiers.archivedAt })
    .from(verifiers)
    .where(and(eq(verifiers.projectId, ctx.projectId), eq(verifiers.slug, slug)));
  return row ?? null;
}

async function createRow(
  ctx: ProjectCtx,
  tx: Database,
  { slug, kind }: ReadDefinition,
): Promise<void> {
  const { verifiers } = schema;
  const count = await tx.$count(verifiers, eq(verifiers.projectId, ctx.projectId));
  if (count >= verifiersMax)
    throw refused(`a project defines at most ${verifiersMax} verifiers, archived ones included`);
  await tx
    .insert(verifiers)
    .values({ projectId: ctx.projectId, slug, kind: kind.name, createdBy: ctx.actor.label });
}

/**
 * Archives a verifier: rules and calls no longer reach it, and its verdicts stay. Archiving it
 * again changes nothing. False if the project defined no such verifier.
 */
export async function archiveVerifier(ctx: ProjectCtx, slug: string): Promise<boolean> {
  const found = await findVerifier(ctx, ctx.projectId, slug);
  if (found === null || found.custom === null) return false;
  if (found.custom.archivedAt !== null) return true;
  await ctx.db.transaction(async (tx) => {
    await setArchived(ctx, tx, slug, ctx.clock.now());
    await audit(ctx, tx, slug, 'verifiers.archive', {});
  });
  return true;
}

async function setArchived(
  ctx: ProjectCtx,
  tx: Database,
  slug: string,
  archivedAt: Date | null,
): Promise<void> {
  const { verifiers } = schema;
  await tx
    .update(verifiers)
    .set({ archivedAt })
    .where(and(eq(verifiers.projectId, ctx.projectId), eq(verifiers.slug, slug)));
}

function audit(
  ctx: ProjectCtx,
  tx: Database,
  slug: string,
  action: 'verifiers.update' | 'verifiers.archive',
  detail: Record<string, unknown>,
): Promise<void> {
  return recordAudit(ctx, tx, ctx.actor, {
    projectId: ctx.projectId,
    action,
    target: slug,
    detail,
  });
}
