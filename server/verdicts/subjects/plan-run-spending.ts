import { z } from 'zod';
import { costOf, type Price, readModelSpec } from '../../llm';
import type { Ctx } from '../../platform';
import { bucketOf } from '../../rules';
import {
  type AnyKind,
  type NotJudged,
  planSpending,
  type RunSetting,
  strategies,
} from '../../verifiers';
import type { WorkFacts } from '../input';
import type { ProjectJudging } from './judging';
import type { SubjectFacts } from './load-subjects';

export interface RunToPay {
  readonly kind: AnyKind;
  readonly subject: unknown;
  readonly setting: RunSetting<unknown>;
  readonly facts: WorkFacts;
  readonly judging: ProjectJudging;
  readonly stored: SubjectFacts;
  /** The project's own prices by model spec; list prices apply to other models. */
  readonly prices?: ReadonlyMap<string, Price>;
}

/**
 * The members of a kind's config that decide whether its work is judged. A kind without them judges
 * all work that costs at least `bypassBelowUsd`.
 */
const Plan = z.object({
  strategy: z.enum(strategies).catch('tiered'),
  sample_rate: z.number().catch(1),
});

/**
 * Why the judges of a run must not be called, or null (VS-38 to VS-41). Depends on the cost of the
 * work and the cost of judging it so far.
 */
export async function planRunSpending(
  ctx: Pick<Ctx, 'sql'>,
  run: RunToPay,
): Promise<NotJudged | null> {
  const { facts, judging, stored } = run;
  const { strategy, sample_rate: sampleRate } = Plan.parse(run.setting.config);
  const taskCostUsd = facts.cost_usd ?? null;
  return planSpending({
    strategy,
    taskCostUsd,
    bypassBelowUsd: judging.bypassBelowUsd,
    share: judging.costBudgetShare,
    spentUsd: taskCostUsd === null ? 0 : await spentBefore(ctx, stored),
    estimateUsd: estimateUsd(run),
    hasDependents: facts.has_dependents,
    sampleRate,
    sampleBucket: bucketOf(stored.kind, stored.id),
  });
}

/** US dollars for all judges; null if a price is unknown. */
export function estimateUsd({
  kind,
  subject,
  setting,
  prices,
}: Pick<RunToPay, 'kind' | 'subject' | 'setting' | 'prices'>): number | null {
  const { inputTokens, outputTokens } = kind.estimate(subject, setting);
  let sum = 0;
  for (const judge of setting.judges) {
    const cost = judgeCostUsd(judge, inputTokens, outputTokens, prices);
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}

/** The cost of one call of a judge in US dollars, by its spec; null if its price is unknown. */
export function judgeCostUsd(
  judge: string,
  inputTokens: number,
  outputTokens: number,
  prices: ReadonlyMap<string, Price> | undefined,
): number | null {
  const { model } = readModelSpec(judge, []);
  const own = prices?.get(judge.split('?', 1)[0] ?? '') ?? null;
  // The part before the colon may be a custom provider name, which price lists do not contain.
  return (
    costOf(model, inputTokens, outputTokens, own) ??
    costOf(model.slice(model.indexOf(':') + 1), inputTokens, outputTokens)
  );
}

/** The cost of judging earlier attempts at the same task of the same mission (VS-41). */
async function spentBefore(
  ctx: Pick<Ctx, 'sql'>,
  { projectId, missionId, taskId }: SubjectFacts,
): Promise<number> {
  if (missionId === null || taskId === null) return 0;
  const [row] = await ctx.sql<{ usd: number }[]>`
    select coalesce(sum(v.cost_usd), 0)::double precision as usd from verdicts v
    where v.project_id = ${projectId} and v.mission_id = ${missionId} and v.task_id = ${taskId} and v.experiment_id is null`;
  return row?.usd ?? 0;
}
