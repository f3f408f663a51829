import { and, asc, eq, sql as drizzleSql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { aliasKeys, modelIdentity, priceList, resolveModel } from '../../llm';
import { conflict, type Database, newId, notFound, refused } from '../../platform';
import { storeJob } from '../../queue';
import type { OwnPriceKey, PutAlias, PutOwnPrice } from '../input';
import { recountKind } from './recount';

const aliasesMax = 500;
const pricesMax = 1000;
/** The names that the list shows; a project that sends more has generated names. */
const shownNamesMax = 500;

export type ModelAlias = Pick<
  typeof schema.modelAliases.$inferSelect,
  'alias' | 'model' | 'createdBy' | 'createdAt'
>;
export type StoredPrice = Omit<typeof schema.modelPrices.$inferSelect, 'projectId'>;

/** A project's settings for its models, and the reported names. */
export interface ModelSettingsPage {
  readonly aliases: readonly ModelAlias[];
  /** US dollars per million tokens. */
  readonly prices: readonly StoredPrice[];
  /** Reported names with the identity that they count under, at most 500, by identity. */
  readonly names: readonly { readonly name: string; readonly identity: string }[];
  /** The price list for models without an own price. */
  readonly priceList: string;
}

export async function listModelSettings({ db, projectId }: ProjectCtx): Promise<ModelSettingsPage> {
  const { modelAliases: a, modelPrices: p, modelNames: n } = schema;
  const [aliases, prices, names] = await Promise.all([
    db.select().from(a).where(eq(a.projectId, projectId)).orderBy(asc(a.model), asc(a.alias)),
    db.select().from(p).where(eq(p.projectId, projectId)).orderBy(asc(p.model), asc(p.validFrom)),
    db
      .select({ name: n.name, identity: n.identity })
      .from(n)
      .where(eq(n.projectId, projectId))
      .orderBy(asc(n.identity), asc(n.name))
      .limit(shownNamesMax),
  ]);
  return {
    aliases: aliases.map(({ projectId: _of, ...each }) => each),
    prices: prices.map(({ projectId: _of, ...each }) => each),
    names: names.map(({ name, identity }) => ({ name, identity: identity ?? name })),
    priceList,
  };
}

/**
 * Makes a name count as another model or, as an alias of itself, as a separate model. Stored rows
 * follow at once, and a job recomputes their costs.
 * @throws AssayError refused (a chain of aliases), conflict (too many)
 */
export async function putAlias(ctx: ProjectCtx, input: PutAlias): Promise<void> {
  const alias = input.alias.trim().toLowerCase();
  await changeModels(ctx, async (tx) => {
    const { modelAliases } = schema;
    const rows = await tx
      .select()
      .from(modelAliases)
      .where(eq(modelAliases.projectId, ctx.projectId));
    const others = rows.filter((row) => row.alias !== alias);
    if (others.length >= aliasesMax)
      throw conflict(`a project has at most ${aliasesMax} aliases; delete one first`);
    const model = targetOf(alias, input.model.trim(), others);
    const user = others.find((row) => row.alias !== row.model && row.model.toLowerCase() === alias);
    if (model !== alias && user !== undefined)
      throw refusedField('alias', `is the model of the alias "${user.alias}": change that first`);
    await tx
      .insert(modelAliases)
      .values({ projectId: ctx.projectId, alias, model, createdBy: ctx.actor.label })
      .onConflictDoUpdate({
        target: [modelAliases.projectId, modelAliases.alias],
        set: { model, createdBy: ctx.actor.label },
      });
    await resolveNames(tx, ctx.projectId);
    return { action: 'models.alias', target: alias, detail: { model } };
  });
}

/** @throws AssayError not_found */
export async function deleteAlias(ctx: ProjectCtx, alias: string): Promise<void> {
  const { modelAliases: a } = schema;
  await changeModels(ctx, async (tx) => {
    const [deleted] = await tx
      .delete(a)
      .where(and(eq(a.projectId, ctx.projectId), eq(a.alias, alias)))
      .returning();
    if (deleted === undefined) throw notFound('alias');
    await resolveNames(tx, ctx.projectId);
    return { action: 'models.delete_alias', target: alias, detail: { model: deleted.model } };
  });
}

/**
 * Sets the project's own price of a model from a day on. A job computes the costs of stored work
 * again. @throws AssayError conflict (too many)
 */
export async function putOwnPrice(ctx: ProjectCtx, input: PutOwnPrice): Promise<void> {
  const { modelPrices: p } = schema;
  const model = input.model.trim().toLowerCase();
  const { usd_per_million: usd, valid_from: validFrom } = input;
  await changeModels(ctx, async (tx) => {
    const rows = await tx.select().from(p).where(eq(p.projectId, ctx.projectId));
    const isNew = !rows.some((row) => row.model === model && row.validFrom === validFrom);
    if (isNew && rows.length >= pricesMax)
      throw conflict(`a project has at most ${pricesMax} own prices; delete one first`);
    const values = {
      inputUsd: usd.input,
      outputUsd: usd.output,
      cacheReadUsd: usd.cache_read ?? null,
      cacheWriteUsd: usd.cache_write ?? null,
      reasoningUsd: usd.reasoning ?? null,
      createdBy: ctx.actor.label,
    };
    await tx
      .insert(p)
      .values({ projectId: ctx.projectId, model, validFrom, ...values })
      .onConflictDoUpdate({ target: [p.projectId, p.model, p.validFrom], set: values });
    return { action: 'models.price', target: model, detail: { validFrom, ...usd } };
  });
}

/** @throws AssayError not_found */
export async function deleteOwnPrice(
  ctx: ProjectCtx,
  { model, valid_from: validFrom }: OwnPriceKey,
): Promise<void> {
  const { modelPrices: p } = schema;
  await changeModels(ctx, async (tx) => {
    const [deleted] = await tx
      .delete(p)
      .where(and(eq(p.projectId, ctx.projectId), eq(p.model, model), eq(p.validFrom, validFrom)))
      .returning();
    if (deleted === undefined) throw notFound('price');
    return { action: 'models.delete_price', target: model, detail: { validFrom } };
  });
}

/** The model that an alias counts as: its identity, unless the alias keeps a name separate. */
function targetOf(alias: string, model: string, others: readonly ModelAlias[]): string {
  if (model.toLowerCase() === alias) return alias;
  const keys = new Set(aliasKeys(model));
  const target = others.find((row) => keys.has(row.alias));
  if (target === undefined) return modelIdentity(model);
  if (target.model === target.alias) return target.model;
  throw refusedField('model', `is an alias of "${target.model}": use that`);
}

const refusedField = (path: string, message: string) =>
  refused(`${path}: ${message}`, [{ path, message }]);

interface ModelChange {
  readonly action: string;
  readonly target: string;
  readonly detail: Record<string, unknown>;
}

/** One change with its audit row, and the job for stored costs. */
async function changeModels(
  ctx: ProjectCtx,
  change: (tx: Database) => Promise<ModelChange>,
): Promise<void> {
  const { projectId } = ctx;
  await ctx.db.transaction(async (tx) => {
    await tx.execute(
      drizzleSql`select pg_advisory_xact_lock(hashtextextended(${`models ${projectId}`}, 0))`,
    );
    const changed = await change(tx);
    await recordAudit(ctx, tx, ctx.actor, { projectId, ...changed });
    await storeJob(ctx, tx, {
      id: newId('job', ctx.clock.now()),
      kind: recountKind,
      input: { because: changed.action },
    });
  });
}

async function resolveNames(tx: Database, projectId: string): Promise<void> {
  const { modelAliases: a, modelNames: n } = schema;
  const rows = await tx.select().from(a).where(eq(a.projectId, projectId));
  const aliases = new Map(rows.map(({ alias, model }) => [alias, model]));
  const names = await tx.select().from(n).where(eq(n.projectId, projectId));
  const moved = names.flatMap(({ name, identity }) => {
    const now = resolveModel(name, aliases);
    return now === identity ? [] : [{ name, identity: now }];
  });
  if (moved.length === 0) return;
  await tx.execute(drizzleSql`
    update model_names m set identity = r.identity
    from jsonb_to_recordset(${JSON.stringify(moved)}::text::jsonb) as r(name text, identity text)
    where m.project_id = ${projectId} and m.name = r.name`);
}
