import type { Ctx } from '../platform';
import type { Note, Served, Service, ThreadBudget } from '../pool';
import type { ClaimedWork } from '../queue';
import type { RuleBook } from '../rules';
import { createRecentRuns } from './subjects/recent-runs';
import type { SubjectDeps } from './subjects/subject-deps';
import { verifyClaimed } from './verify';
import { workThrough } from './work-through';

export interface WorkDeps {
  readonly ctx: Ctx;
  /** The process of this thread, as the lease holder. */
  readonly owner: string;
  readonly rules: RuleBook;
  readonly subjects: SubjectDeps;
}

/** A thread's share of a batch. */
export interface WorkOrder {
  readonly claimed: readonly ClaimedWork[];
  /**
   * Whether an earlier run has already counted the batch against the daily budgets of its rules.
   */
  readonly admitted: boolean;
}

/** The messages that a thread sends while it works on a batch. */
export type WorkNote = { readonly planned: readonly ClaimedWork[] } | 'admitted';

/** A subject to settle although it used up its processor time, and the part that used it up. */
export interface SpentOrder {
  readonly work: ClaimedWork;
  readonly spent: string;
}

/**
 * The services of a verifier thread: `work` runs a batch of claimed work, `settle` settles one
 * subject that was over its budget.
 */
export function workServices(
  { ctx, owner, rules, subjects }: WorkDeps,
  budget: ThreadBudget,
  note: Note,
): Readonly<Record<string, Service>> {
  const runsFor = createRecentRuns(ctx, subjects);
  const notify = (workNote: WorkNote): void => note(workNote);
  return {
    async work({ claimed, admitted }: WorkOrder): Promise<Served> {
      const signal = new AbortController().signal;
      const onClaimed = (planned: readonly ClaimedWork[]): void => notify({ planned });
      const onAdmitted = (): void => notify('admitted');
      const began = ctx.clock.monotonicMs();
      await workThrough(ctx, {
        owner,
        claimed,
        rules,
        subjects,
        signal,
        onClaimed,
        onAdmitted,
        admitted,
        runsFor,
      });
      return { result: ctx.clock.monotonicMs() - began };
    },
    async settle({ work, spent }: SpentOrder): Promise<Served> {
      budget.spent = spent;
      const stored = await verifyClaimed(ctx, subjects, {
        owner,
        claimed: [work],
        signal: new AbortController().signal,
        urgent: true,
      });
      return { result: stored.size };
    },
  };
}
