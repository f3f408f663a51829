import type { JudgedDecision, Kind, RunSetting } from '../kind';
import type { PlanNode, Walk } from '../plan-node';
import { lineOf } from '../asking';
import { decideSubmitted, estimateTurn, planSubmitted, REMINDER, VERIFIER } from './submitted';
import type { TurnDetail } from './detail';
import { turnFields } from './fields';
import { perturbTurn } from './perturb';
import { turnReadings } from './reading';
import { decideRecorded, planRecorded, type AuditedTurn, recordedFromTurn } from './recorded';
import { TurnConfig, TurnSubject } from './subject';
import { showExchange } from './content';
import { turnView } from './view';

type Subject = TurnSubject | AuditedTurn;

const isRecorded = (subject: Subject): subject is AuditedTurn => 'episode' in subject;

/**
 * Whether an answer needs steering (QV): decided by one judge call, or read from the gateway's
 * record of its verification.
 */
export const turn: Kind<Subject, TurnConfig, TurnDetail> = {
  ...turnView,
  showContent: showExchange,
  // `turn` is the stored name of turns.
  storedAs: 'exchange',
  config: TurnConfig,
  fields: turnFields,
  subject: TurnSubject,
  readings: turnReadings,
  fromTurn: recordedFromTurn,
  selfJudging: () => 'anyone',
  unbudgeted: true,
  excerptOf: (subject) => (isRecorded(subject) ? subject.excerpt : lineOf(subject.completion)),
  promptSlugs: (subject) => (isRecorded(subject) ? [] : [VERIFIER, REMINDER]),
  estimate: (subject, setting) =>
    isRecorded(subject) ? { inputTokens: 0, outputTokens: 0 } : estimateTurn(subject, setting),
  cacheKey: () => null,
  plan: (subject, setting): readonly PlanNode[] =>
    isRecorded(subject) ? planRecorded(subject) : planSubmitted(subject, setting),
  decide: (walk: Walk, subject, setting: RunSetting<TurnConfig>): JudgedDecision<TurnDetail> =>
    isRecorded(subject) ? decideRecorded(subject) : decideSubmitted(walk, subject, setting),
  perturb: perturbTurn,
};
