import { SubjectTarget } from '../../domain';
import { classifyStorageError, type Ctx } from '../../platform';
import {
  type ClaimedWork,
  dropWork,
  endUndecided,
  failWork,
  type UndecidedWork,
} from '../../queue';
import { kinds } from '../../verifiers';
import { admitWork, planConversation, type Rule, type RuleBook } from '../../rules';
import { loadMaterials, type StoredMaterial } from './load-materials';
import { type ReadRule, readRuleSubject, type SubjectRead } from './read-rule-subject';
import type { RunsFor } from '../subjects/recent-runs';
import { createRunSource, type RunSource } from '../subjects/run-setting';
import type { SubjectDeps } from '../subjects/subject-deps';
import { whyNotOnTurns } from '../subjects/verify-undelivered';
import { skipUnreadable, type Unreadable } from './skip-unreadable';
import { missedTurns } from './missed-turns';
import { type ReadSubject, type ReadWork, storeRead } from './store-read';

/**
 * Whether the work comes from a rule, or from a route of the gateway, and its subject has yet to be
 * read from stored data.
 */
export function isUnread({ rule, verifier, subjectKind }: ClaimedWork): boolean {
  const kind = kinds.get(verifier);
  if (rule === null) return subjectKind === 'turn' && kind?.fromTurn === undefined;
  return (
    !(kind !== undefined && kind.readsTurns) &&
    SubjectTarget.options.some((target) => target === subjectKind)
  );
}

export interface ReadClaimed {
  readonly owner: string;
  readonly claimed: readonly ClaimedWork[];
  readonly rules: RuleBook;
  /** As in `verifyClaimed`. */
  readonly runsFor?: RunsFor | undefined;
}

/**
 * Reads and stores the subjects of claimed work, and returns the updated work, ready to be
 * verified. Work without a subject, skipped by `every`, or beyond the budget of its rule ends with
 * a decision that records the reason; without a rule, it ends with a skipped verdict that records
 * it. Work that cannot be read fails its attempt with the reason and does not affect the rest.
 * @throws on storage faults
 */
export async function readClaimed(
  ctx: Ctx,
  deps: SubjectDeps,
  { owner, claimed, rules, runsFor }: ReadClaimed,
): Promise<readonly ReadWork[]> {
  if (claimed.length === 0) return [];
  const ended: UndecidedWork[] = [];
  const withoutRule: Unreadable[] = [];
  const ready = new Map<ClaimedWork, ReadSubject>();
  const skipped = await missedTurns(ctx, await everyOf(rules, claimed));
  for (const work of claimed) {
    const missed = skipped.get(work);
    if (missed !== undefined) ended.push({ work, state: 'sampled_out', reason: missed });
  }
  const left = claimed.filter((work) => !skipped.has(work));
  const own = createRunSource(ctx, deps);
  const materials = await loadMaterials(ctx, left);
  for (const work of left) {
    ctx.budget?.begin(work);
    ctx.budget?.enter('reading the subject');
    const runs = (await runsFor?.(work)) ?? own;
    const read = await readOne(ctx, { owner, work, rules, runs }, async () => {
      const material = await materials.get(work)?.();
      return { ...(await verifierOf(runs, deps, rules, work)), material };
    });
    if (read?.state === 'no_subject' && work.rule === null)
      withoutRule.push({ work, reason: read.reason });
    else if (read?.state === 'no_subject')
      ended.push({ work, state: 'no_subject', reason: read.reason });
    if (read?.state === 'read') ready.set(work, read.subject);
  }
  await endUndecided(ctx.sql, owner, ended);
  await skipUnreadable(ctx, deps, owner, withoutRule);
  const { admitted } = await admitWork(ctx, { owner, claimed: [...ready.keys()] });
  return storeRead(
    ctx,
    owner,
    admitted.flatMap((work) => ready.get(work) ?? []),
  );
}

type Prepare = () => Promise<
  Omit<ReadRule, 'material' | 'work'> & { material: StoredMaterial | null | undefined }
>;

/** The work's verifier in its current version, and the rule that sent the work. */
async function verifierOf(
  runs: RunSource,
  deps: SubjectDeps,
  rules: RuleBook,
  work: ClaimedWork,
): Promise<Pick<ReadRule, 'kind' | 'config' | 'rule'>> {
  const { kind: name, config } = await runs.judgingOf(work.projectId, work.verifier);
  const kind = deps.kinds.get(name);
  if (kind === undefined) throw new Error(`the project has no verifier "${work.verifier}"`);
  return { kind, config: kind.config.parse(config), rule: await ruleOf(rules, work) };
}

interface ReadOne {
  readonly owner: string;
  readonly work: ClaimedWork;
  readonly rules: RuleBook;
  readonly runs: RunSource;
}

/** Null if the attempt failed or the work was dropped. */
async function readOne(
  ctx: Ctx,
  { owner, work, rules, runs }: ReadOne,
  prepare: Prepare,
): Promise<SubjectRead | null> {
  try {
    const { material, ...rest } = await prepare();
    if (material == null) throw new Error(`the ${work.subjectKind} is not stored`);
    if (material.revision === work.revision) {
      const refused = work.rule === null ? await whyNotOfRoute(runs, work) : null;
      return refused === null
        ? readRuleSubject({ ...rest, work, material })
        : { state: 'no_subject', reason: refused };
    }
    await planNewerRevision(ctx, rules, work);
    await dropWork(ctx, owner, work);
  } catch (error) {
    if (classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error({ err: error, subject: work.subjectId }, 'a subject could not be read');
    await failWork(ctx, owner, work, error instanceof Error ? error.message : String(error));
  }
  return null;
}

/**
 * Plans the current revision of a session or mission that grew after its verification was planned:
 * its sender may have ended it, and nothing else would plan it before it is idle. Traces and turns
 * need no such plan, since each stored revision plans its own.
 */
async function planNewerRevision(ctx: Ctx, rules: RuleBook, work: ClaimedWork): Promise<void> {
  const { projectId, subjectKind: target, subjectId: id } = work;
  if (target === 'session' || target === 'mission')
    await planConversation(ctx, rules, { projectId, target, id });
}

/** Rules check their verifier when they plan its work; a route of the gateway only names it. */
async function whyNotOfRoute(runs: RunSource, { projectId, verifier }: ClaimedWork) {
  return whyNotOnTurns(await runs.verifierOf(projectId, verifier), verifier);
}

/** The current version of the rule that sent the work; null if the rule was deleted. */
async function ruleOf(rules: RuleBook, work: ClaimedWork): Promise<Rule | null> {
  const known = await rules.read(work.projectId);
  return known.find(({ name }) => name === work.rule) ?? null;
}

async function everyOf(
  rules: RuleBook,
  claimed: readonly ClaimedWork[],
): Promise<readonly { readonly work: ClaimedWork; readonly every: number }[]> {
  const found = [];
  for (const work of claimed) {
    const every = (await ruleOf(rules, work))?.every ?? null;
    if (every !== null) found.push({ work, every });
  }
  return found;
}
