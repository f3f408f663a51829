import type { Ask, Score } from '../domain';
import type { Budget } from '../platform';
import type { RunGates } from '../code';

/**
 * What an evaluator may reach: a clock for latency and a signal that ends it. No store.
 */
export interface EvaluatorContext {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Asks a model; absent where no model may be asked, as in the deterministic lane. */
  readonly ask?: Ask;
  /** Runs proof gates in the box; absent where nothing may be run, as in the fast lane. */
  readonly gates?: RunGates;
  /** Processor time; absent where none is counted. */
  readonly budget?: Budget;
}

/** A score, and what later nodes and the verdict rule may use next to it. */
export interface Evaluation<Detail> {
  readonly score: Score;
  readonly detail: Detail;
}

/** A score's fixed part with neutral defaults; `latency_ms` is filled in by the walker. */
export function measuredBy(
  evaluator: string,
  name: string,
): Omit<Extract<Score, { state: 'unscored' }>, 'state' | 'value' | 'met'> {
  return {
    name,
    evaluator,
    must_pass: false,
    weight: 1,
    reasoning: null,
    evidence: [],
    model: null,
    prompt_version: null,
    cost_usd: 0,
    latency_ms: 0,
    cached: false,
  };
}
