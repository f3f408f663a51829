import type { Action, Issue, Score } from '../domain';
import type { EvaluatorContext } from '../evaluators';

/** The details that earlier nodes of the same walk returned, by node name. */
export type Details = ReadonlyMap<string, unknown>;

/** One node of a verifier's DAG. */
export interface PlanNode {
  readonly name: string;
  /**
   * A display label for the measured property, used if its score has none. Defaults to the name.
   */
  readonly title?: string;
  /** Evaluator at version, as in the score. */
  readonly evaluator: string;
  /** Names of nodes that must have run without failing. */
  readonly needs: readonly string[];
  /** If its score is not met, the walk ends: more expensive nodes are not run. */
  readonly mustPass: boolean;
  readonly weight: number;
  /** Relative cost: deterministic 0, gates 10, judges 100. Cheapest ready node first. */
  readonly cost: number;
  readonly timeoutMs: number;
  run(details: Details, ctx: EvaluatorContext): NodeResult | Promise<NodeResult>;
}

export interface NodeResult {
  readonly score: Score;
  readonly detail: unknown;
  /**
   * The duration, if it was measured outside the node's run; otherwise the walker times the run.
   */
  readonly latencyMs?: number;
}

/**
 * The result of the verdict rule. `verdict` null means inconclusive: never a pass and never a fail
 * (X-3).
 */
export interface VerdictDecision<Detail> {
  readonly verdict: string | null;
  readonly action: Action;
  /** Native scale of the kind; null when there is nothing to measure. */
  readonly score: number | null;
  readonly confidence: number | null;
  readonly needsHumanReview: boolean;
  readonly issues: readonly Issue[];
  readonly feedback: string | null;
  readonly detail: Detail;
}

export interface Walk {
  readonly scores: readonly Score[];
  readonly details: Details;
  /** Nodes that still have to run; until then there is no verdict. */
  readonly left: readonly PlanNode[];
}
