import type { ProjectCtx } from '../../access';
import { listProviderModels } from '../../llm';
import { loadJudging, type ProjectJudging, standardJudging } from '../subjects/judging';

/**
 * A project's judging settings. Amounts are in US dollars; the budget is a share of the cost of the
 * work.
 */
export interface JudgingState {
  /** Null means the cheapest model of a different family than the model that did the work. */
  readonly defaultJudge: string | null;
  readonly jury: readonly string[];
  readonly bypassBelowUsd: number;
  readonly costBudgetShare: number;
  readonly retries: number;
  readonly neutralProof: ProjectJudging['neutralProof'];
  readonly semanticJudge: boolean;
  readonly promotionGate: ProjectJudging['promotionGate'];
  /** The defaults. */
  readonly standard: typeof standardJudging;
  /** The specs of all models that the project can call; empty without a provider. */
  readonly models: readonly string[];
}

export async function getJudging(ctx: ProjectCtx): Promise<JudgingState> {
  const {
    version: _version,
    kind: _kind,
    config: _config,
    ...judging
  } = await loadJudging(ctx, ctx.projectId, 'task');
  return {
    ...judging,
    standard: standardJudging,
    models: await listProviderModels(ctx, ctx.projectId),
  };
}
