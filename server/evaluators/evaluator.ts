import type { Ask, Score } from '../domain';
import type { Budget } from '../platform';
import type { RunGates } from '../code';
import type { RunFunctions } from './functions';

/** The dependencies of an evaluator: a clock for latency and a signal that ends it. No store. */
export interface EvaluatorContext {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Calls a model; absent if models are not allowed, as in the deterministic lane. */
  readonly ask?: Ask;
  /** Runs proof gates in the sandbox; absent if nothing may run, as in the fast lane. */
  readonly gates?: RunGates;
  /** Runs the project's functions in the sandbox; absent if nothing may run. */
  readonly functions?: RunFunctions;
  /** Processor time; absent if it is not counted. */
  readonly budget?: Budget;
}

/** A score, and details for later nodes and the verdict rule. */
export interface Evaluation<Detail> {
  readonly score: Score;
  readonly detail: Detail;
}

/** A score's fixed part with neutral defaults; the walker fills in `latency_ms`. */
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
