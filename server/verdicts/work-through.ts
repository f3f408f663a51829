import type { Ctx } from '../platform';
import { assembleVerifier, type ClaimedWork } from '../queue';
import { admitWork, type RuleBook } from '../rules';
import { assembleClaimed } from '../ingest';
import { endWithoutSubject } from './rule-subjects/end-without-subject';
import { isUnread, readClaimed } from './rule-subjects/verify-rule-subjects';
import type { SubjectDeps } from './subjects/subject-deps';
import { verifyClaimed, type VerifyInput } from './verify';
import { isInPlace } from './work-items';

export interface WorkThroughInput {
  readonly owner: string;
  readonly claimed: readonly ClaimedWork[];
  readonly rules: RuleBook;
  readonly subjects: SubjectDeps;
  readonly signal: AbortSignal;
  /**
   * Called with additional work that is claimed: the verifications planned for traces of the batch.
   */
  readonly onClaimed?: (more: readonly ClaimedWork[]) => void;
  /** Called once the batch is counted against the daily budgets of its rules. */
  readonly onAdmitted?: () => void;
  /** The work runs in the slow lane: models may be called, and gates may run. */
  readonly asks?: boolean;
  /** As in `verifyClaimed`. */
  readonly runsFor?: VerifyInput['runsFor'];
  readonly store?: VerifyInput['store'];
  /** The batch is already counted against the daily budgets. */
  readonly admitted?: boolean;
}

/**
 * Processes a batch of claimed work completely, or up to the point where a model must be called.
 * Traces are assembled first, and their immediate verifications run with the rest of the batch.
 * Returns the ids of the verdicts stored now. @throws on storage faults
 */
export async function workThrough(ctx: Ctx, input: WorkThroughInput): Promise<ReadonlySet<string>> {
  const traces = input.claimed.filter((work) => work.verifier === assembleVerifier);
  const planned = await assembleClaimed(ctx, {
    owner: input.owner,
    claimed: traces,
    planTurns: input.rules.planTurns,
    planTrace: input.rules.planTrace,
  });
  if (planned.length > 0) input.onClaimed?.(planned);
  const batch = [...input.claimed.filter((work) => work.verifier !== assembleVerifier), ...planned];
  const ready = batch.filter((work) => !isUnread(work));
  const inPlace = ready.filter(isInPlace);
  const read = await readClaimed(ctx, input.subjects, {
    owner: input.owner,
    claimed: batch.filter(isUnread),
    rules: input.rules,
    runsFor: input.runsFor,
  });
  const admitted = input.admitted === true ? inPlace : await withinBudget(ctx, input, inPlace);
  input.onAdmitted?.();
  return verifyClaimed(ctx, input.subjects, {
    owner: input.owner,
    claimed: [
      ...ready.filter((work) => !isInPlace(work)),
      ...read.map(({ work }) => work),
      ...admitted,
    ],
    read: new Map(read.map(({ work, stored }) => [work, stored])),
    signal: input.signal,
    ...(input.asks === true && { asks: true }),
    runsFor: input.runsFor,
    store: input.store,
  });
}

/**
 * Most rules have no budget: this process caches the rules, and queries PostgreSQL only for those
 * with a budget.
 */
async function withinBudget(
  ctx: Ctx,
  input: WorkThroughInput,
  claimed: readonly ClaimedWork[],
): Promise<readonly ClaimedWork[]> {
  const budgeted: ClaimedWork[] = [];
  for (const work of claimed) {
    if (work.rule === null) continue;
    const rules = await input.rules.read(work.projectId);
    const rule = rules.find(({ name }) => name === work.rule);
    if (rule !== undefined && rule.dailyBudget !== null) budgeted.push(work);
  }
  if (budgeted.length === 0) return claimed;
  const present = await endWithoutSubject(ctx, input.subjects, {
    owner: input.owner,
    claimed: budgeted,
  });
  const { admitted } = await admitWork(ctx, { owner: input.owner, claimed: present });
  const left = new Set(admitted);
  const bound = new Set(budgeted);
  return claimed.filter((work) => !bound.has(work) || left.has(work));
}
