import { type ProjectCtx, recordAudit } from '../access';
import {
  canonicalJson,
  noSourceSettings,
  type SourceSettings,
  subjectMembers,
  type SubjectTarget,
} from '../domain';
import { checkSourcePattern } from '../evaluators/sources';
import { type Database, notFound, refused } from '../platform';
import { findVerifier, listBuiltInVerifiers, type Verifier } from '../catalog';
import { compileMapping, subjectMembersOf } from '../verifiers';
import { and, desc, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import type { RuleBody } from './input';
import type { Rule } from './match';
import type { RuleBook } from './rule-book';

/**
 * Maximum number of rules of a project, since each turn is matched against all of them on arrival.
 */
const rulesMax = 100;

type Book = Pick<RuleBook, 'forget'>;

/**
 * Creates or replaces the rule of this name; a change creates its next version, which decisions
 * record. Saving it unchanged does nothing.
 * @throws AssayError refused (an unknown verifier, unusable sources, too many rules)
 */
export async function putRule(
  ctx: ProjectCtx,
  book: Book,
  name: string,
  body: RuleBody,
): Promise<void> {
  const draft = await draftRule(ctx, name, body);
  const { name: _name, version: _version, verifierTargets: _targets, ...values } = draft;
  const { rules } = schema;
  await ctx.db.transaction(async (tx) => {
    await lockRules(ctx, tx);
    const [stored] = await tx
      .select()
      .from(rules)
      .where(and(eq(rules.projectId, ctx.projectId), eq(rules.name, name)));
    if (stored === undefined) {
      await refuseOneMore(ctx, tx);
      const version = (await lastVersion(ctx, tx, name)) + 1;
      await tx
        .insert(rules)
        .values({ projectId: ctx.projectId, name, version, ...values, createdBy: ctx.actor.label });
      return audit(ctx, tx, name, { version, ...values });
    }
    if (sameRule(stored, values)) return;
    const version = stored.version + 1;
    await tx
      .update(rules)
      .set({ ...values, version, updatedAt: ctx.clock.now() })
      .where(and(eq(rules.projectId, ctx.projectId), eq(rules.name, name)));
    await audit(ctx, tx, name, { version, ...values });
  });
  book.forget(ctx.projectId);
}

const refuse = (path: string, message: string): never => {
  throw refused(`${path}: ${message}`, [{ path, message }]);
};

/** @throws AssayError refused: no such verifier, or an archived one */
async function requireVerifier(ctx: ProjectCtx, path: string, slug: string): Promise<Verifier> {
  const found = await findVerifier(ctx, ctx.projectId, slug);
  if (found === null) {
    const builtIn = listBuiltInVerifiers().map((each) => each.slug);
    return refuse(
      path,
      `"${slug}" is no verifier of this project; the built-in ones are ${builtIn.join(', ')}`,
    );
  }
  if (found.custom?.archivedAt != null)
    return refuse(path, `"${slug}" is archived; restore it first`);
  return found;
}

/** @throws AssayError refused: a target or a count that the rule cannot use */
function checkTarget(
  { verifier, target, filter, every, sampling }: RuleBody,
  targets: readonly SubjectTarget[],
): void {
  if (!targets.includes(target))
    refuse('target', `${verifier} verifies ${targets.join(' or ')}, not ${target}`);
  if (filter.verdict?.verifier === verifier)
    refuse('filter.verdict.verifier', 'must be another verifier than that of the rule');
  if (every !== null && target !== 'turn')
    refuse('every', `counts turns: leave it out where the target is ${target}`);
  if (every !== null && sampling < 1)
    refuse('every', 'takes the place of "sampling": leave one of them out');
}

/** Variables that a rule's mapping may set; for a custom verifier, also subject members. */
function variablesOf({ kind, custom }: Verifier, target: SubjectTarget): readonly string[] {
  if (custom === null) return subjectMembersOf(kind);
  return [...new Set([...Object.keys(custom.definition.mapping), ...subjectMembers[target]])];
}

/** @throws AssayError refused: a variable that the verifier does not have, an invalid query */
function checkMapping({ verifier, target, mapping }: RuleBody, found: Verifier): void {
  if (mapping === null) return;
  const members = variablesOf(found, target);
  const problems = Object.keys(mapping)
    .filter((variable) => !members.includes(variable))
    .map((variable) => ({
      path: `mapping.${variable}`,
      message:
        members.length === 0
          ? `${verifier} reads turns as they are and has no variables; leave "mapping" out`
          : `is not a variable of ${verifier}; it has: ${members.join(', ')}`,
    }));
  const compiled = compileMapping(mapping, [target]);
  if ('problems' in compiled)
    problems.push(
      ...compiled.problems.map(({ variable, position, message, fix }) => ({
        path: `mapping.${variable}`,
        message: `${message}, at character ${position + 1}: ${fix}`,
      })),
    );
  const [first] = problems;
  if (first !== undefined) throw refused(`${first.path}: ${first.message}`, problems);
}

/**
 * @throws AssayError refused: an unusable pattern, or a filter that would exclude the turns that
 * the setting is for
 */
function checkSources({ filter, sources }: RuleBody): void {
  for (const [at, block] of sources.blocks.entries()) {
    const wrong = block.by === 'pattern' ? checkSourcePattern(block.pattern) : null;
    const path = `sources.blocks[${at}].pattern`;
    if (wrong !== null) throw refused(`${path}: ${wrong}`, [{ path, message: wrong }]);
  }
  if (filter.has_sources !== true || !namesAny(sources)) return;
  const message =
    'cannot be true with `sources`, because it counts tool results and context blocks only; leave it out';
  throw refused(`filter.has_sources: ${message}`, [{ path: 'filter.has_sources', message }]);
}

const namesAny = ({ blocks, documents, earlier_messages: earlier }: SourceSettings): boolean =>
  blocks.length > 0 || documents || earlier;

/**
 * Converts a rule to the form used for decisions, without storing it.
 * @throws AssayError as `putRule` does
 */
export async function draftRule(ctx: ProjectCtx, name: string, body: RuleBody): Promise<Rule> {
  const verifier = await requireVerifier(ctx, 'verifier', body.verifier);
  if (body.filter.verdict !== undefined)
    await requireVerifier(ctx, 'filter.verdict.verifier', body.filter.verdict.verifier);
  checkTarget(body, verifier.targets);
  checkSources(body);
  checkMapping(body, verifier);
  return {
    name,
    version: 0,
    verifier: body.verifier,
    verifierTargets: verifier.targets,
    target: body.target,
    filter: body.filter,
    mapping: body.mapping,
    sampling: body.sampling,
    sampleBy: body.sample_by,
    every: body.every,
    delaySeconds: body.delay_seconds,
    dailyBudget: body.daily_budget,
    dailyBudgetUsd: body.daily_budget_usd,
    sources: body.sources,
    enabled: body.enabled,
  };
}

/**
 * Enables or disables a rule; earlier decisions are kept.
 * @throws AssayError not_found
 */
export async function setRuleEnabled(
  ctx: ProjectCtx,
  book: Book,
  name: string,
  enabled: boolean,
): Promise<void> {
  const { rules } = schema;
  await ctx.db.transaction(async (tx) => {
    await lockRules(ctx, tx);
    const named = and(eq(rules.projectId, ctx.projectId), eq(rules.name, name));
    const [stored] = await tx.select().from(rules).where(named);
    if (stored === undefined) throw notFound('rule');
    if (stored.enabled === enabled) return;
    const version = stored.version + 1;
    await tx.update(rules).set({ enabled, version, updatedAt: ctx.clock.now() }).where(named);
    await audit(ctx, tx, name, { version, enabled });
  });
  book.forget(ctx.projectId);
}

/**
 * Deletes a rule. Its decisions are kept, and pending verifications still run.
 * @throws AssayError not_found
 */
export async function deleteRule(ctx: ProjectCtx, book: Book, name: string): Promise<void> {
  const { rules } = schema;
  await ctx.db.transaction(async (tx) => {
    await lockRules(ctx, tx);
    const deleted = await tx
      .delete(rules)
      .where(and(eq(rules.projectId, ctx.projectId), eq(rules.name, name)))
      .returning({ version: rules.version });
    if (deleted.length === 0) throw notFound('rule');
    await audit(ctx, tx, name, { deleted: true });
  });
  book.forget(ctx.projectId);
}

/** Serialises changes: otherwise two concurrent ones would both create version n + 1. */
async function lockRules(ctx: ProjectCtx, tx: Database): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`rules ${ctx.projectId}`}, 0))`,
  );
}

async function refuseOneMore(ctx: ProjectCtx, tx: Database): Promise<void> {
  const count = await tx.$count(schema.rules, eq(schema.rules.projectId, ctx.projectId));
  if (count >= rulesMax) throw refused(`a project has at most ${rulesMax} rules; delete one first`);
}

/**
 * The last version of an earlier rule with this name, so that its decisions are not attributed to
 * the new one. 0 if there was none.
 */
async function lastVersion(ctx: ProjectCtx, tx: Database, name: string): Promise<number> {
  const { decisions } = schema;
  const [last] = await tx
    .select({ version: decisions.ruleVersion })
    .from(decisions)
    .where(and(eq(decisions.projectId, ctx.projectId), eq(decisions.rule, name)))
    .orderBy(desc(decisions.decidedAt))
    .limit(1);
  return last?.version ?? 0;
}

type Values = Pick<
  typeof schema.rules.$inferSelect,
  | 'verifier'
  | 'target'
  | 'filter'
  | 'mapping'
  | 'sampling'
  | 'sampleBy'
  | 'every'
  | 'delaySeconds'
  | 'dailyBudget'
  | 'dailyBudgetUsd'
  | 'sources'
  | 'enabled'
>;

function sameRule(stored: Values, values: Values): boolean {
  const textOf = (of: Values): string =>
    canonicalJson(
      JSON.stringify([
        of.verifier,
        of.target,
        of.filter,
        of.mapping,
        of.sampling,
        of.sampleBy,
        of.every,
        of.delaySeconds,
        of.dailyBudget,
        of.dailyBudgetUsd,
        of.sources ?? noSourceSettings,
        of.enabled,
      ]),
    );
  return textOf(stored) === textOf(values);
}

function audit(
  ctx: ProjectCtx,
  tx: Database,
  name: string,
  detail: Record<string, unknown>,
): Promise<void> {
  return recordAudit(ctx, tx, ctx.actor, {
    projectId: ctx.projectId,
    action: 'rules.update',
    target: name,
    detail,
  });
}
