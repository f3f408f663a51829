import type { Action, Issue, Score } from '../domain';
import type { EvaluatorContext } from '../evaluators';

/** What earlier nodes of the same walk left for later ones, by node name. */
export type Details = ReadonlyMap<string, unknown>;

/** One node of a verifier's DAG. */
export interface PlanNode {
  readonly name: string;
  /** For people, where no score says it: what it would have measured. Without it the name. */
  readonly title?: string;
  /** Evaluator at version, as it is in the score. */
  readonly evaluator: string;
  /** Names of nodes that must have run without failing. */
  readonly needs: readonly string[];
  /** A score that is not met ends the walk: dearer nodes are not run. */
  readonly mustPass: boolean;
  readonly weight: number;
  /** Relative price: deterministic 0, gates 10, judges 100. Cheapest ready node first. */
  readonly price: number;
  readonly timeoutMs: number;
  run(details: Details, ctx: EvaluatorContext): NodeResult | Promise<NodeResult>;
}

export interface NodeResult {
  readonly score: Score;
  readonly detail: unknown;
  /**
   * What measuring took, where that was at another time than the node's run; else the run is
   * measured.
   */
  readonly latencyMs?: number;
}

/**
 * What the verdict rule decided. `verdict` null means inconclusive: never a pass and never a fail
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
  /** Nodes that were left for later are owed: there is no verdict yet. */
  readonly left: readonly PlanNode[];
}
