import type { CodeFile, GateResult, Static } from '../../code';
import type { JudgementResult } from '../../evaluators/judges';

/** Nodes of the plan, and what each leaves for others and for the verdict rule. */

export const READ = 'structure';
export const PROOF = 'proof';
export const SEMANTIC = 'semantic';

/** The files as they were read, and what was measured of them. */
export interface ReadDetail {
  readonly files: readonly CodeFile[];
  readonly measured: Static;
}

/** What the gates came to; empty where none could be run. */
export interface ProofDetail {
  readonly gates: readonly GateResult[];
  /** Why one was not run although there is something to run; null otherwise. */
  readonly notRun: string | null;
}

/** Why no one was asked, or how it went. */
export interface SemanticDetail {
  readonly why: string | null;
  /** 0..1; null where no one was asked, or no one answered. */
  readonly value: number | null;
  readonly result: JudgementResult | null;
}
