import type { PromptText } from '../domain';
import type { PlanNode, VerdictDecision, Walk } from './kind';
import type { Asked } from './subject-kind';

/** The evaluator of a second opinion, as its scores name it. */
export const opinionEvaluator = 'judges.opinion@1';

/** Who may be asked about one turn, and how. */
export interface OpinionSetting {
  /**
   * Model specs, the judge first and those behind it that are asked where it cannot be. Empty: see
   * `whyNone`.
   */
  readonly judges: readonly string[];
  readonly whyNone: string | null;
  /** Null where no one is asked yet: the node is left for the slow lane. */
  readonly prompt: PromptText | null;
}

/**
 * A judge that a kind of turns may ask about what its own plan leaves undecided. Subject and config
 * are the kind's own.
 */
export interface TurnOpinion {
  /** The slug of its prompt. */
  readonly prompt: string;
  isOn(config: unknown): boolean;
  /** One node behind those of the kind's plan; it costs nothing where no one is to be asked. */
  node(subject: unknown, config: unknown, setting: OpinionSetting): PlanNode;
  /** The decision with the opinion in it. Pure. */
  decide(decided: VerdictDecision<unknown>, walk: Walk, config: unknown): VerdictDecision<unknown>;
  asked(walk: Walk): Asked;
}
