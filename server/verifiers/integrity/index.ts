import { z } from 'zod';
import type { IntegrityDetail } from '../../domain';
import { lineOf } from '../asking';
import type { FigureCounts, JudgedDecision, Kind, RunSetting } from '../kind';
import type { PlanNode, Walk } from '../plan-node';
import { IntegrityConfig } from './config';
import { integrityFields } from './fields';
import { integrityFromTurn } from './from-turn';
import {
  costOfOpinion,
  estimateOpinion,
  OPINION_PROMPT,
  opinionNode,
  withOpinion,
} from './opinion';
import { planFigures } from './plan';
import { integrityReadings } from './reading';
import type { IntegritySubject } from './subject';
import { decideFigures } from './verdict';
import { integrityView } from './view';

export { IntegrityConfig } from './config';
export { integritySubject } from './from-turn';
export { opinionEvaluator } from './opinion';
export { planFigures } from './plan';
export { withSourcesRead } from './read-ahead';
export type { IntegritySubject } from './subject';
export { decideFigures } from './verdict';

/**
 * AI response integrity (INT-1): every figure of an answer traces to a source of the same turn, or
 * is marked. A judge may provide a second opinion on statements that figures cannot decide.
 */
export const integrity: Kind<IntegritySubject, IntegrityConfig, IntegrityDetail> = {
  ...integrityView,
  storedAs: 'turn',
  config: IntegrityConfig,
  fields: integrityFields,
  subject: z.custom<IntegritySubject>(),
  readings: integrityReadings,
  fromTurn: integrityFromTurn,
  unbudgeted: true,
  callsOneJudge: true,
  excerptOf: ({ output }) => lineOf(output),
  promptSlugs: (_subject, config) => (hasOpinion(config) ? [OPINION_PROMPT] : []),
  estimate: estimateOpinion,
  cacheKey: () => null,
  plan: planIntegrity,
  decide: decideIntegrity,
  figuresOf: countFigures,
};

const hasOpinion = ({ second_opinion: opinion }: IntegrityConfig): boolean => opinion !== 'off';

function planIntegrity(
  subject: IntegritySubject,
  setting: RunSetting<IntegrityConfig>,
): readonly PlanNode[] {
  const figures = planFigures(subject, setting.config);
  return hasOpinion(setting.config) ? [...figures, opinionNode(subject, setting)] : figures;
}

function decideIntegrity(
  walk: Walk,
  subject: IntegritySubject,
  { config }: RunSetting<IntegrityConfig>,
): JudgedDecision<IntegrityDetail> {
  const figures = decideFigures(walk, subject, config);
  const decided = hasOpinion(config) ? withOpinion(figures, walk, config) : figures;
  return { ...decided, judgeCost: costOfOpinion(walk), toCache: null };
}

function countFigures(detail: IntegrityDetail): FigureCounts | null {
  if (detail.fields === null) return null;
  const { mode, figures, unsourced, reprompt_used: reprompt } = detail;
  return { fallback: mode === 'fallback_scan', figures: figures.length, unsourced, reprompt };
}
