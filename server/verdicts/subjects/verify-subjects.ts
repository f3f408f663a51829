import type { Ask } from '../../domain';
import type { RunGates } from '../../code';
import type { AskFor } from '../../llm';
import { classifyStorageError, type Ctx } from '../../platform';
import type { PromptDefaults } from '../../prompts';
import {
  type ClaimedWork,
  dropWork,
  endUndecided,
  failWork,
  parkWork,
  passToSlow,
} from '../../queue';
import { askWithinBudget } from './ask-within-budget';
import type { Settlement } from '../settle';
import { settleApart } from '../settle-apart';
import { decideSubject, type SlowReach, slowReach, type SubjectEnd } from './decide-subject';
import { loadSubjects, subjectKey, type StoredSubject } from './load-subjects';
import { createRunSource, type RunSource } from './run-setting';
import type { SubjectKinds } from './subject-kinds';

export interface SubjectDeps {
  readonly prompts: PromptDefaults;
  readonly kinds: SubjectKinds;
  /** How a project's models are called for one verdict. */
  readonly askFor: (target: AskFor) => Ask;
  /** Runs proof gates, in workers; null in a process without a slow lane. */
  readonly gates: RunGates | null;
}

export interface VerifySubjects {
  readonly owner: string;
  readonly claimed: readonly ClaimedWork[];
  /** A caller waits for the verdicts. */
  readonly urgent: boolean;
  readonly signal: AbortSignal;
}

/**
 * Takes claimed subjects as far as possible without a model: settled, or passed to the slow lane.
 * One that cannot be verified is returned with the reason and does not affect the others. Returns
 * the ids of the verdicts stored now. @throws on storage faults
 */
export async function verifySubjects(
  ctx: Ctx,
  deps: SubjectDeps,
  input: VerifySubjects,
): Promise<ReadonlySet<string>> {
  if (input.claimed.length === 0) return new Set();
  const subjects = await loadSubjects(ctx, input.claimed);
  const runs = createRunSource(ctx, deps.prompts);
  const settlements: Settlement[] = [];
  const slow: ClaimedWork[] = [];
  /** VS-31: work that other work waits for goes before work that ends a mission. */
  const urgent: ClaimedWork[] = [];
  for (const work of input.claimed) {
    ctx.budget?.begin(work);
    const end = await endOf(ctx, deps, {
      ...input,
      work,
      stored: subjects.get(keyOf(work)),
      runs,
      slow: null,
    });
    if (end?.state === 'decided') settlements.push(end.settlement);
    else if (end?.state === 'slow') (input.urgent || end.hasDependents ? urgent : slow).push(work);
  }
  if (urgent.length > 0) await passToSlow(ctx, input.owner, urgent, { urgent: true });
  if (slow.length > 0) await passToSlow(ctx, input.owner, slow);
  return settleApart(ctx, input.owner, settlements);
}

export interface JudgeSubject {
  readonly owner: string;
  readonly work: ClaimedWork;
  readonly signal: AbortSignal;
}

/**
 * Takes one claimed subject of the slow lane to its end: settled, parked while its judge is down,
 * or returned. @throws on storage faults
 */
export async function judgeSubject(
  ctx: Ctx,
  deps: SubjectDeps,
  input: JudgeSubject,
): Promise<void> {
  const { work, owner } = input;
  const stored = (await loadSubjects(ctx, [work])).get(keyOf(work));
  const judges = await askWithinBudget(
    ctx,
    work,
    deps.askFor({ projectId: work.projectId, verdictId: work.id }),
  );
  const slow = slowReach(deps, judges.ask);
  const end = await endOf(ctx, deps, {
    ...input,
    stored,
    slow,
    runs: createRunSource(ctx, deps.prompts),
  });
  const overBudget = judges.refused();
  if (end !== null && overBudget !== null)
    await endUndecided(ctx.sql, owner, [{ work, state: 'over_budget', reason: overBudget }]);
  else if (end?.state === 'blocked') await parkWork(ctx, owner, work, end);
  else if (end?.state === 'decided') await settleApart(ctx, owner, [end.settlement]);
}

interface OneSubject {
  readonly owner: string;
  readonly work: ClaimedWork;
  readonly stored: StoredSubject | undefined;
  readonly runs: RunSource;
  readonly slow: SlowReach | null;
  readonly signal: AbortSignal;
}

/** Null if the work was returned or dropped. */
async function endOf(
  ctx: Ctx,
  { kinds }: SubjectDeps,
  one: OneSubject,
): Promise<SubjectEnd | null> {
  const { work, owner, stored } = one;
  const kind = kinds.get(work.verifier);
  if (kind === undefined) {
    await failWork(ctx, owner, work, `this release has no verifier "${work.verifier}"`);
    return null;
  }
  try {
    if (stored === undefined) throw new Error('the subject is not stored');
    if (stored.revision === work.revision)
      return await decideSubject(ctx, { ...one, stored, kind });
    await dropWork(ctx, owner, work);
  } catch (error) {
    if (one.signal.aborted || classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error({ err: error, subject: work.subjectId }, 'a subject could not be verified');
    await failWork(ctx, owner, work, error instanceof Error ? error.message : String(error));
  }
  return null;
}

const keyOf = (work: ClaimedWork): string =>
  subjectKey(work.projectId, work.subjectKind, work.subjectId);
