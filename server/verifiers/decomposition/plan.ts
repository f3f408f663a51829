import { meetsThreshold, type Score } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import {
  checkStructure,
  STRUCTURE,
  STRUCTURE_TITLE,
  type StructureDetail,
} from '../../evaluators/subgoals';
import { ASKING, callsJudges, JUDGE_NODE_TIMEOUT_MS, scoreOfNoJudge, thresholdOf } from '../asking';
import type { Details, NodeResult, PlanNode } from '../plan-node';
import type { RunSetting } from '../kind';
import { type DecompositionConfig, subgoalsMax } from './config';
import { type Dimension, dimensions } from './detail';
import { findingOf, type FoundScores, findOnce, optionOf, promptSlugOf, usageOf } from './judging';
import type { DecompositionSubject } from './subject';

const STRUCTURE_NODE = 'structure';
const GIVEN_BY = 'caller.scores@1';
const TIMEOUT_MS = 30_000;

type Setting = RunSetting<DecompositionConfig>;
type Find = (structure: StructureDetail | null, ctx: EvaluatorContext) => Promise<FoundScores>;

/** The detail of a dimension's node, shared by all four. */
export interface DimensionDetail {
  readonly found: FoundScores;
}

/**
 * Checks the structure without a judge; if it is sound, makes one judge call for all four scores
 * (SOAR-2, SOAR-3, SOAR-14).
 */
export function planDecomposition(
  subject: DecompositionSubject,
  setting: Setting,
): readonly PlanNode[] {
  return [structureNode(subject, setting.config), ...scoreNodes(subject, setting)];
}

function structureNode(
  { decomposition, agents, environment, complexity }: DecompositionSubject,
  config: DecompositionConfig,
): PlanNode {
  return {
    name: STRUCTURE_NODE,
    title: STRUCTURE_TITLE,
    evaluator: STRUCTURE,
    needs: [],
    // A structural fault overrides every score, so none is needed.
    mustPass: true,
    weight: 0,
    cost: 0,
    timeoutMs: TIMEOUT_MS,
    run: () =>
      checkStructure(decomposition, {
        agents,
        environment,
        subgoalsMax: subgoalsMax(complexity, config),
        limitOf: complexity,
      }),
  };
}

function scoreNodes(subject: DecompositionSubject, setting: Setting): readonly PlanNode[] {
  const { scores } = subject;
  const usesJudge = scores === null && callsJudges(setting);
  const find: Find =
    scores === null
      ? findOnce(subject, setting)
      : () =>
          Promise.resolve({
            state: 'found',
            finding: findingOf(scores),
            cached: false,
            judged: null,
          });
  const evaluator =
    scores === null ? `judges.decomposition-${optionOf(subject.complexity)}@1` : GIVEN_BY;
  const prompt =
    scores === null ? (setting.prompts.get(promptSlugOf(subject))?.version ?? null) : null;
  return dimensions.map((dimension) => ({
    ...dimension,
    evaluator,
    needs: [],
    mustPass: false,
    cost: usesJudge ? ASKING : 0,
    timeoutMs: JUDGE_NODE_TIMEOUT_MS,
    run: async (details, ctx) =>
      scores === null && !usesJudge
        ? { score: scoreOfNoJudge(setting, evaluator, dimension.name), detail: null }
        : readScore(
            dimension.name,
            await find(structureOf(details), ctx),
            { evaluator, prompt },
            setting,
          ),
  }));
}

interface ScoredBy {
  readonly evaluator: string;
  readonly prompt: string | null;
}

/**
 * One of the four scores, or the reason for its absence; the verdict rule reads the shared detail.
 */
function readScore(
  name: Dimension,
  found: FoundScores,
  { evaluator, prompt }: ScoredBy,
  setting: Setting,
): NodeResult {
  const detail: DimensionDetail = { found };
  const base = {
    ...measuredBy(evaluator, name),
    model: found.state === 'found' ? found.finding.model : found.judged.model,
    prompt_version: prompt,
    // One judge call returned all four scores, so each has a quarter of the cost.
    cost_usd: usageOf(found).costUsd / dimensions.length,
    cached: found.state === 'found' && found.cached,
  };
  if (found.state === 'failed') {
    const reasoning = `${found.judged.errorClass}: ${found.judged.reason}`
      .slice(0, 1_000)
      .toWellFormed();
    return { score: { ...base, state: 'failed', value: null, met: null, reasoning }, detail };
  }
  const { scores, reasoning } = found.finding;
  const met = meetsThreshold(scores[name], thresholdOf(setting, 'pass_threshold', 0.7));
  const score: Score = { ...base, state: 'scored', value: scores[name], met, reasoning };
  return { score, detail };
}

/** The detail of the structure node; null if the node failed. */
export const structureOf = (details: Details): StructureDetail | null =>
  (details.get(STRUCTURE_NODE) as StructureDetail | undefined) ?? null;

/** The detail shared by the four nodes; null if no judge was called. */
export const foundOf = (details: Details): FoundScores | null =>
  (details.get(dimensions[0].name) as DimensionDetail | null | undefined)?.found ?? null;
