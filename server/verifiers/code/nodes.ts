import type { CodeFile, GateResult, Static } from '../../code';
import type { JudgementResult } from '../../evaluators/judges';

/**
 * The nodes of the plan, and the detail that each returns for later nodes and for the verdict rule.
 */

export const READ = 'structure';
export const PROOF = 'proof';
export const SEMANTIC = 'semantic';

/** The parsed files, and their measurements. */
export interface ReadDetail {
  readonly files: readonly CodeFile[];
  readonly measured: Static;
}

/** The results of the gates; empty if none could be run. */
export interface ProofDetail {
  readonly gates: readonly GateResult[];
  /** Why a gate was not run although there was something to run; null otherwise. */
  readonly notRun: string | null;
}

/** Why no judge was called, or the judge's outcome. */
export interface SemanticDetail {
  readonly why: string | null;
  /** 0..1; null if no judge was called, or none answered. */
  readonly value: number | null;
  readonly result: JudgementResult | null;
}
