import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { notFound } from '../../platform';
import { type ExperimentHead, getHeads } from './experiment-head';
import { type RunRowCounts, readRowCounts, readTotals, type RunTotals } from './row-counts';
import { readRunRates, type RunRates } from './run-rates';

export interface ExperimentResult extends ExperimentHead {
  readonly counts: RunRowCounts & {
    /** The newest verdicts, of any outcome, and the maximum number of them in answers. */
    readonly verdicts: number;
    readonly verdictsExpected: number;
    /** Answers without a verdict that passed or failed, over all verifiers. */
    readonly unscored: number;
  };
  readonly results: readonly (RunRates & {
    readonly verifier: string;
    readonly unscored: number;
    /** Rows without an answer, or that the verifier could not judge. */
    readonly withoutResult: number;
  })[];
  readonly costUsd: RunTotals['costUsd'];
  readonly latencyMs: RunTotals['latencyMs'];
  readonly progress: {
    readonly done: number;
    readonly total: number;
    readonly ratePerS: number | null;
    readonly secondsLeft: number | null;
  };
}

/** The slugs of an experiment's verifiers. */
export const slugsOf = ({ verifiers }: Pick<ExperimentHead, 'verifiers'>): string[] => [
  ...new Set(verifiers.map((name) => readVerifierName(name).slug)),
];

/** @throws AssayError not_found */
export async function getExperiment(ctx: ProjectCtx, id: string): Promise<ExperimentResult> {
  const [head] = await getHeads(ctx, [id]);
  if (head === undefined) throw notFound('experiment');
  const [countsOf, ratesOf, totals] = await Promise.all([
    readRowCounts(ctx, [id]),
    readRunRates(ctx, [id]),
    readTotals(ctx, id),
  ]);
  const counts = countsOf(id);
  const results = slugsOf(head).map((verifier) => {
    const { verdicts, inconclusive, rates } = ratesOf({ experiment: id, verifier });
    const unscored = Math.max(0, counts.answered - rates.passRate.denominator);
    const withoutResult = Math.max(0, counts.rows - verdicts) + inconclusive;
    return { verifier, verdicts, unscored, withoutResult, ...rates };
  });
  const done = counts.answered + counts.failed + counts.lost;
  const { ratePerS } = totals;
  const isRunning = head.state === 'running' && ratePerS !== null && ratePerS > 0;
  return {
    ...head,
    counts: {
      ...counts,
      verdicts: results.reduce((sum, each) => sum + each.verdicts, 0),
      verdictsExpected: counts.answered * results.length,
      unscored: results.reduce((sum, each) => sum + each.unscored, 0),
    },
    results: results.map(({ verdicts: _verdicts, ...each }) => each),
    costUsd: totals.costUsd,
    latencyMs: totals.latencyMs,
    progress: {
      done,
      total: counts.rows,
      ratePerS,
      secondsLeft: isRunning ? Math.ceil((counts.rows - done) / ratePerS) : null,
    },
  };
}
