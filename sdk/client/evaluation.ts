/**
 * The input and output of an evaluation, with the API's own names (docs/how-to/evaluate-in-ci.md).
 */

/** An item of a dataset, as a target gets it: without its reference. */
export interface EvaluationItem<Input = unknown> {
  readonly id: string;
  readonly input: Input;
  readonly context?: unknown;
  readonly tools?: unknown;
  readonly metadata?: unknown;
  readonly split?: string | null;
  readonly tags?: readonly string[];
  readonly [member: string]: unknown;
}

/** An item to store; without an id, it gets one. */
export interface NewEvaluationItem<Input = unknown> {
  readonly id?: string;
  readonly input: Input;
  readonly context?: unknown;
  readonly tools?: unknown;
  /** The expected output, as any JSON; hidden from the target. */
  readonly reference?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly split?: string;
  readonly tags?: readonly string[];
}

/** Aborts when the evaluation is stopped, or when the time for this item is over. */
export interface TargetContext {
  readonly signal: AbortSignal;
}

/**
 * Answers one item: any JSON, or `{output, tools?, cost_usd?, latency_ms?}`. An exception becomes
 * the error of the item's row.
 */
export type EvaluationTarget<Input = unknown> = (
  item: EvaluationItem<Input>,
  context: TargetContext,
) => unknown;

/** A target that the server calls: `prompt` or `http`, as `POST /v1/experiments` takes it. */
export interface RemoteTarget {
  readonly type: 'prompt' | 'http';
  readonly [member: string]: unknown;
}

/** As `POST /v1/experiments/{id}/gate` takes it. */
export interface ExperimentGate {
  readonly min_pass_rate?: Readonly<
    Record<string, { readonly at_least: number; readonly by?: 'value' | 'low' }>
  >;
  /** The id of an experiment, or `branch:` and a name. */
  readonly no_regression_against?: string;
  readonly max_cost_usd?: number;
}

export interface ExperimentGateReason {
  readonly code: string;
  /** A warning does not fail the gate. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly verifier: string | null;
  /** Items with which the data could decide; null if unknown. */
  readonly items_needed: number | null;
}

export interface ExperimentGateResult {
  readonly passed: boolean;
  /** The id of the experiment that was compared with. */
  readonly baseline: string | null;
  readonly reasons: readonly ExperimentGateReason[];
}

/** A rate from 0 to 1 with its 95% interval. */
export interface ExperimentMeasure {
  readonly value: number | null;
  readonly numerator: number | null;
  readonly denominator: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly state: string;
}

export interface ExperimentVerifierResult {
  readonly verifier: string;
  readonly pass_rate: ExperimentMeasure;
  /** Corrected for the verifier's errors that labels measured. */
  readonly corrected_pass_rate: ExperimentMeasure;
  readonly mean_score: ExperimentMeasure;
  readonly unscored: number;
}

/** As `GET /v1/experiments/{id}` returns it. */
export interface ExperimentResult {
  readonly id: string;
  readonly name: string;
  /** `refunds@3` */
  readonly dataset: string;
  readonly state: 'open' | 'running' | 'done' | 'over_budget' | 'cancelled' | 'failed';
  /** Why it is not done. */
  readonly reason: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly baseline: string | null;
  readonly counts: {
    readonly rows: number;
    readonly answered: number;
    readonly failed: number;
    readonly lost: number;
    readonly [member: string]: number;
  };
  readonly results: readonly ExperimentVerifierResult[];
  readonly cost_usd: {
    readonly target: number;
    readonly judges: number;
    readonly total: number;
    readonly unknown: number;
  };
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly progress: { readonly done: number; readonly total: number };
  readonly url: string;
  readonly [member: string]: unknown;
}

export interface EvaluationResult {
  readonly id: string;
  /** The experiment's page in the console. */
  readonly url: string;
  readonly experiment: ExperimentResult;
  /** Null if the evaluation has none. */
  readonly gate: ExperimentGateResult | null;
}
