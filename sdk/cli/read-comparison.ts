import { parseObject } from '../client/read-reply';
import type { Api } from './api';

/** The difference of the pass rate from the baseline's, over the items of both, from -1 to 1. */
export interface EvalDifference {
  readonly verifier: string;
  readonly difference: {
    readonly value: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
  /** By Holm over all verifiers. */
  readonly p_adjusted: number | null;
  readonly items: { readonly improved: number; readonly regressed: number };
}

export interface EvalComparison {
  readonly baseline: {
    readonly id: string;
    readonly name: string;
    readonly branch: string | null;
    readonly commit: string | null;
    readonly url: string;
  };
  readonly comparisons: readonly EvalDifference[];
}

/** Null if there is no baseline, or if the two cannot be compared. */
export async function readComparison(
  api: Api,
  baseline: string | null,
  id: string,
): Promise<EvalComparison | null> {
  if (baseline === null) return null;
  const { status, text } = await api.callRaw('/v1/experiments/compare', {
    query: { ids: `${baseline},${id}`, limit: 1 },
  });
  const reply = status === 200 ? parseObject(text) : null;
  if (reply === null) return null;
  // The server validates the shape.
  const { experiments, comparisons } = reply as unknown as {
    readonly experiments: readonly EvalComparison['baseline'][];
    readonly comparisons: readonly EvalDifference[];
  };
  const [first] = experiments;
  return first === undefined ? null : { baseline: first, comparisons };
}
