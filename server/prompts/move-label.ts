import { sql } from 'drizzle-orm';
import { type ProjectCtx, recordAudit } from '../access';
import { type Database, notFound, refused } from '../platform';
import { getBase, readCustomPrompt, unmappedIssues } from './base';
import type { PromptDefaults } from './defaults';
import { readPrompt } from './read';
import { latestFrontIn, lockPrompt, refusedFor } from './save';

const maxLabels = 20;

interface LabelInput {
  readonly slug: string;
  readonly label: string;
  readonly version: number;
}

/**
 * Points a label at a version. Runs in progress keep their version; later runs get this one. The
 * last of two concurrent moves wins, and both are in the audit log. `production` is moved by
 * `promotePrompt` (server/experiments/promotion), which checks the gate first.
 * @throws AssayError not_found (no such prompt), refused (no such version, or one that this release
 * cannot use)
 */
export async function moveLabel(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  input: LabelInput,
): Promise<void> {
  await getBase(ctx, defaults, input.slug);
  await ctx.db.transaction((tx) => moveLabelIn(ctx, tx, defaults, input));
}

/**
 * As `moveLabel`, within `tx`, for changes that must be atomic with others; `detail` is stored in
 * the audit row.
 */
export async function moveLabelIn(
  ctx: ProjectCtx,
  tx: Database,
  defaults: PromptDefaults,
  { slug, label, version, detail = {} }: LabelInput & { readonly detail?: Record<string, unknown> },
): Promise<void> {
  await lockPrompt(ctx, tx, slug);
  const { isApplication } = await requireUsable(ctx, tx, defaults, { slug, version });
  const labels = await tx.execute<{ label: string; version: number }>(sql`
    select label, version from prompt_labels where project_id = ${ctx.projectId} and slug = ${slug}`);
  const before = labels.find((each) => each.label === label)?.version ?? null;
  if (before === version) return;
  if (before === null && labels.length >= maxLabels)
    throw refused(`a prompt has at most ${maxLabels} labels; delete one first`);
  await tx.execute(sql`
    insert into prompt_labels (project_id, slug, label, version, moved_by)
    values (${ctx.projectId}, ${slug}, ${label}, ${version}, ${ctx.actor.label})
    on conflict (project_id, slug, label) do update
      set version = excluded.version, moved_by = excluded.moved_by, moved_at = now()`);
  await recordAudit(ctx, tx, ctx.actor, {
    projectId: ctx.projectId,
    // The prompt of an application changes no verdict.
    action: label === 'production' && !isApplication ? 'prompts.promote' : 'prompts.label',
    target: `${slug}@${version}`,
    detail: {
      label,
      from: before ?? (label === 'production' && defaults.has(slug) ? 0 : null),
      to: version,
      ...detail,
    },
  });
}

/**
 * @throws AssayError not_found (no such prompt), refused (no such version, or one that this release
 * cannot use)
 */
export async function requireUsable(
  ctx: ProjectCtx,
  tx: Database,
  defaults: PromptDefaults,
  { slug, version }: Pick<LabelInput, 'slug' | 'version'>,
): Promise<{ readonly isApplication: boolean }> {
  const ofRelease = defaults.get(slug);
  const latest = ofRelease === undefined ? await latestFrontIn(ctx, tx, slug) : null;
  if (ofRelease === undefined && latest === null) throw notFound('prompt');
  if (version === 0 && ofRelease !== undefined) return { isApplication: false };
  const [stored] = await tx.execute<{ body: string }>(sql`
    select body from prompt_versions where project_id = ${ctx.projectId} and slug = ${slug} and version = ${version}`);
  if (stored === undefined) {
    const message = `names no version of ${slug}: ${version}`;
    throw refused(`version: ${message}`, [{ path: 'version', message }]);
  }
  const read =
    ofRelease === undefined
      ? readCustomPrompt(stored.body)
      : readPrompt(stored.body, ofRelease.front);
  if (read.state !== 'valid') throw refusedFor('version', read.issues);
  const isApplication = latest?.output === 'message';
  const unmapped =
    latest === null || isApplication ? [] : unmappedIssues(read.text, read.front, latest);
  if (unmapped.length > 0) throw refusedFor('version', unmapped);
  return { isApplication };
}
