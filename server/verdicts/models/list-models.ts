import type { ProjectCtx } from '../../access';
import { readSpreads } from '../read-spread';
import type { Spread } from '../spreads';
import { listPerformanceOfAll, type ModelPerformance } from './list-model-performance';

/**
 * The results of a model from one verifier: its latest results, and the percentiles of its scores
 * and waiting times over 30 days.
 */
export interface ModelRow extends ModelPerformance {
  /** Milliseconds from the planned start to the verdict. */
  readonly wait: Spread;
  /** On the verifier's own scale. */
  readonly score: Spread;
}

const dayMs = 86_400_000;
/** The period of the page, in whole UTC days up to today. */
export const modelPageDays = 30;
const noSpread: Spread = { n: 0, p50: null, p95: null, p99: null };

/** The start of the page's period. */
export function modelsFrom(now: Date): Date {
  return new Date((Math.floor(now.getTime() / dayMs) - (modelPageDays - 1)) * dayMs);
}

/**
 * Every model with a result in the last 30 days, per verifier and tier, the newest result first.
 */
export async function listModels(ctx: ProjectCtx): Promise<ModelRow[]> {
  const from = modelsFrom(ctx.clock.now());
  const rows = await listPerformanceOfAll(ctx);
  const verifiers = [...new Set(rows.map(({ verifier }) => verifier))];
  const spreads = new Map(
    await Promise.all(
      verifiers.map(async (verifier) => {
        const [wait, score] = await Promise.all([
          readSpreads(ctx, { verifier, measure: 'wait', from }),
          readSpreads(ctx, { verifier, measure: 'score', from }),
        ]);
        return [verifier, { wait, score }] as const;
      }),
    ),
  );
  return rows.map((row) => ({
    ...row,
    wait: spreads.get(row.verifier)?.wait.get(row.model) ?? noSpread,
    score: spreads.get(row.verifier)?.score.get(row.model) ?? noSpread,
  }));
}
