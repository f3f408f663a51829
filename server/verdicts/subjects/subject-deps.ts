import type { Ask } from '../../domain';
import type { RunGates } from '../../code';
import type { FunctionRunner } from '../../evaluators/functions';
import type { AskFor } from '../../llm';
import type { Ctx } from '../../platform';
import type { PromptDefaults } from '../../prompts';
import type { ClaimedWork } from '../../queue';
import type { CostBudget } from '../../rules';
import type { Kinds } from '../../verifiers';

/** The dependencies of verification other than storage. */
export interface SubjectDeps {
  readonly prompts: PromptDefaults;
  /** The kinds that this process can run; tests inject their own. */
  readonly kinds: Kinds;
  /** How a project's models are called for one verdict. */
  readonly askFor: (target: AskFor) => Ask;
  /** Runs proof gates in workers; null in a process without a slow lane. */
  readonly gates: RunGates | null;
  /** The budget of an experiment that work belongs to: a module above this one. */
  readonly budgetOf?: (ctx: Ctx, work: ClaimedWork) => CostBudget | null;
  /** Labelled subjects for judges: labels belong to a module above this one. */
  readonly findExamples: FindExamples;
  /** Runs functions in workers; omitted in a process without a slow lane. */
  readonly functions?: FunctionRunner;
}

export interface WantedExamples {
  readonly projectId: string;
  /** The verifier's slug. */
  readonly verifier: string;
  /** The stored name of its subjects. */
  readonly subjectKind: string;
  /** Maximum number of good and of bad subjects. */
  readonly limit: number;
}

/** A labelled subject that is not held out for tests. */
export interface StoredExample {
  readonly subjectId: string;
  readonly sessionId: string | null;
  /** As stored: JSON text of `{"subject": …, "facts": …}`. */
  readonly content: string;
  readonly good: boolean;
  /** The reason of the person who ruled; null if there is none. */
  readonly reason: string | null;
}

/** In a fixed order, so that a verifier shows the same examples until its labels change. */
export type FindExamples = (ctx: Ctx, wanted: WantedExamples) => Promise<readonly StoredExample[]>;
