import { sql } from 'drizzle-orm';
import { schema } from '../../../db';
import {
  mayReadHeldOut,
  type ProjectCtx,
  recordAudit,
  sealSecret,
  type SecretPlace,
} from '../../access';
import { findVerifier } from '../../catalog';
import { compileQuery, isProblem } from '../../evaluators';
import { listPlaceholders } from '../../domain';
import { checkModel, checkSpecProviders } from '../../llm';
import {
  checkOutboundHeaders,
  checkOutboundUrl,
  conflict,
  type Database,
  forbidden,
  newId,
  outboundPolicy,
  refused,
  unavailable,
} from '../../platform';
import { pinApplicationPrompt, type PromptDefaults } from '../../prompts';
import { storeJob } from '../../queue';
import { whyNotOnTurns } from '../../verdicts';
import { getDatasetRow, lockDataset } from '../datasets/dataset';
import { heldOutSplit } from '../datasets/dataset-input';
import { experimentKind } from './run-job';
import { experimentLimits, type StartExperimentBody, type ExperimentTarget } from './run-input';

export interface StartedExperiment {
  readonly id: string;
  /** Null while it waits for outputs to be sent. */
  readonly jobId: string | null;
}

/**
 * Stores an experiment with a row for each item and repetition, and the job that runs it. The
 * latest version of the dataset is used unless the request names one.
 * @throws AssayError not_found (dataset), forbidden (the split that is held out), refused (no items, too many
 * rows, a verifier that reads no turn, an unknown prompt or version, a model without provider, an address that may not be called)
 */
export async function startExperiment(
  ctx: ProjectCtx,
  { prompts }: { readonly prompts: PromptDefaults },
  input: StartExperimentBody & { readonly id?: string | undefined },
): Promise<StartedExperiment> {
  const now = ctx.clock.now();
  const id = input.id ?? newId('exp', now);
  refuseHeldOut(ctx, input);
  const dataset = await findVersion(ctx, input.dataset);
  const target = await checkTarget(ctx, prompts, input.target);
  await checkPlaceholders(ctx, dataset, target);
  await checkVerifiers(ctx, input.verifiers);
  if (input.baseline != null) await requireExperiment(ctx, input.baseline);
  const isOpen = target.type === 'outputs';
  const jobId = newId('job', now);
  await ctx.db.transaction(async (tx) => {
    const stored = await tx
      .insert(schema.experiments)
      .values({
        projectId: ctx.projectId,
        id,
        name: input.name,
        datasetId: dataset.id,
        datasetSlug: dataset.slug,
        datasetVersion: dataset.version,
        split: input.split ?? null,
        repetitions: input.repetitions,
        target: withoutSecrets(target),
        headers: sealHeaders(ctx, id, target),
        verifiers: [...new Set(input.verifiers)],
        concurrency: input.concurrency,
        budgetMicros: input.budget_usd == null ? null : Math.floor(input.budget_usd * 1_000_000),
        branch: input.branch ?? null,
        commit: input.commit ?? null,
        baselineId: input.baseline ?? null,
        jobId: isOpen ? '' : jobId,
        state: isOpen ? 'open' : 'running',
        createdBy: ctx.actor.label,
      })
      .onConflictDoNothing()
      .returning({ id: schema.experiments.id });
    if (stored.length === 0) return;
    // A dataset with a running experiment cannot be deleted: the second transaction waits.
    const locked = await lockDataset(ctx, tx, dataset.slug);
    if (locked.id !== dataset.id)
      throw conflict('the dataset was replaced meanwhile; send it again');
    const rows = await storeRows(ctx, tx, { ...input, id, dataset });
    if (!isOpen)
      await storeJob(ctx, tx, {
        id: jobId,
        kind: experimentKind,
        input: { experiment: id },
        total: rows * (1 + new Set(input.verifiers).size),
      });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'experiments.start',
      target: id,
      detail: {
        name: input.name,
        dataset: `${dataset.slug}@${dataset.version}`,
        target: target.type,
        rows,
      },
    });
  });
  return { id, jobId: isOpen ? null : jobId };
}

/** @throws AssayError forbidden */
function refuseHeldOut(ctx: ProjectCtx, { split }: Pick<StartExperimentBody, 'split'>): void {
  if (split === heldOutSplit && !mayReadHeldOut(ctx))
    throw forbidden(
      `split: "${heldOutSplit}" needs the scope held_out, or the role owner or reviewer: its outputs show its items`,
    );
}

interface FoundVersion {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
}

/** @throws AssayError not_found, refused (a dataset without items) */
async function findVersion(ctx: ProjectCtx, named: string): Promise<FoundVersion> {
  const [slug = '', wanted] = named.split('@');
  const row = await getDatasetRow(ctx, slug);
  const version = wanted === undefined ? row.version : Number(wanted);
  if (row.version === 0) throw fault('dataset', `"${slug}" has no items: add some first`);
  if (version > row.version)
    throw fault('dataset', `"${slug}" has no version ${version}: its latest is ${row.version}`);
  return { id: row.id, slug, version };
}

const fault = (path: string, message: string) =>
  refused(`${path}: ${message}`, [{ path, message }]);

async function requireExperiment(ctx: ProjectCtx, id: string): Promise<void> {
  const [row] = await ctx.sql`
    select 1 from experiments where project_id = ${ctx.projectId} and id = ${id}`;
  if (row === undefined) throw fault('baseline', `there is no experiment "${id}"`);
}

export async function checkVerifiers(ctx: ProjectCtx, slugs: readonly string[]): Promise<void> {
  for (const [n, slug] of slugs.entries()) {
    const why = whyNotOnTurns(await findVerifier(ctx, ctx.projectId, slug), slug);
    if (why !== null) throw fault(`verifiers.${n}`, why);
  }
}

/** The target with the version of its prompt, which a later promotion does not change. */
async function checkTarget(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  target: ExperimentTarget,
): Promise<ExperimentTarget> {
  if (target.type === 'outputs') return target;
  if (target.type === 'http') {
    checkOutboundUrl(outboundPolicy(ctx.env), target.url);
    checkOutboundHeaders(new Map(Object.entries(target.headers)));
    for (const path of ['output', 'tools'] as const) {
      const query = target[path];
      const compiled = query === undefined ? null : compileQuery(query);
      if (compiled !== null && isProblem(compiled))
        throw fault(
          `target.${path}`,
          `position ${compiled.position}: ${compiled.problem}; ${compiled.fix}`,
        );
    }
    return target;
  }
  await checkSpecProviders(ctx, [['target.model', target.model]]);
  await checkModel(ctx, 'target.model', target.model);
  if (target.prompt === undefined) return target;
  const { version } = await pinApplicationPrompt(ctx, prompts, target.prompt, 'target.prompt');
  return { ...target, prompt: version };
}

/**
 * A misspelt placeholder would be sent as is.
 * @throws AssayError refused (a placeholder that is not a member of an item, nor of any item's
 *   metadata)
 */
async function checkPlaceholders(
  { sql, projectId }: ProjectCtx,
  { id, version }: FoundVersion,
  target: ExperimentTarget,
): Promise<void> {
  for (const [path, text] of textsOf(target)) {
    const names = listPlaceholders(text).filter((name) => !itemMembers.includes(name));
    const rows = await sql<{ name: string }[]>`
      select k.name from jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb) as k(name)
      where not exists (select from dataset_items i
        where i.project_id = ${projectId} and i.dataset_id = ${id} and i.from_version <= ${version}
          and (i.to_version is null or i.to_version > ${version})
          and position('"' || k.name || '"' in i.content) > 0)`;
    const [unknown] = rows;
    if (unknown !== undefined)
      throw fault(
        path,
        `has the placeholder {{${unknown.name}}}, which no item has; use input, context, tools or a member of the metadata`,
      );
  }
}

const itemMembers = ['input', 'context', 'tools'];

/** The texts with placeholders, by the paths of their fields. */
function textsOf(target: ExperimentTarget): readonly (readonly [string, string])[] {
  if (target.type === 'http')
    return target.body === undefined ? [] : [['target.body', JSON.stringify(target.body)]];
  if (target.type === 'outputs') return [];
  return (target.messages ?? []).map(({ content }, n) => [`target.messages.${n}.content`, content]);
}

const placeOf = (projectId: string, rowId: string, url: string): SecretPlace => ({
  projectId,
  table: 'experiments',
  column: 'headers',
  rowId,
  origin: new URL(url).origin,
});

/** Where the headers of an experiment are sealed for. */
export const headersPlace = placeOf;

function sealHeaders(ctx: ProjectCtx, id: string, target: ExperimentTarget): string | null {
  if (target.type !== 'http' || Object.keys(target.headers).length === 0) return null;
  if (ctx.env.secret === null)
    throw unavailable('target.headers: need ASSAY_SECRET, which is not set in this process');
  return sealSecret(ctx, placeOf(ctx.projectId, id, target.url), JSON.stringify(target.headers));
}

/** Headers may contain keys: only their values are encrypted, separately. */
const withoutSecrets = (target: ExperimentTarget): Record<string, unknown> =>
  target.type === 'http'
    ? {
        ...target,
        headers: Object.fromEntries(Object.keys(target.headers).map((name) => [name, ''])),
      }
    : { ...target };

interface NewRows extends Pick<StartExperimentBody, 'split' | 'repetitions'> {
  readonly id: string;
  readonly dataset: FoundVersion;
}

/**
 * Stores the rows, repetition after repetition. @returns their number @throws AssayError refused
 */
async function storeRows(
  { projectId }: ProjectCtx,
  tx: Database,
  { id, dataset, split, repetitions }: NewRows,
): Promise<number> {
  const items = sql`
    select id, row_number() over (order by ordinal, id) as place, count(*) over () as items
    from dataset_items
    where project_id = ${projectId} and dataset_id = ${dataset.id}
      and from_version <= ${dataset.version}
      and (to_version is null or to_version > ${dataset.version})
      and ${
        split == null
          ? sql`split is distinct from ${heldOutSplit}`
          : sql`split is not distinct from ${split}`
      }`;
  const [row] = await tx.execute<{ n: number }>(
    sql`select count(*)::int as n from (${items}) as found`,
  );
  const count = row?.n ?? 0;
  if (count === 0)
    throw fault(
      split == null ? 'dataset' : 'split',
      split == null
        ? `"${dataset.slug}@${dataset.version}" has no items`
        : `"${dataset.slug}@${dataset.version}" has no items of the split "${split}"`,
    );
  if (count * repetitions > experimentLimits.rows)
    throw fault(
      'repetitions',
      `${count} items × ${repetitions} repetitions are ${count * repetitions} rows; at most ${experimentLimits.rows} are allowed`,
    );
  await tx.execute(sql`
    insert into experiment_rows (project_id, experiment_id, ordinal, item_id, repetition)
    select ${projectId}, ${id}, (r.repetition - 1) * items + place, found.id, r.repetition
    from (${items}) as found cross join generate_series(1, ${repetitions}::int) as r(repetition)`);
  return count * repetitions;
}
