import type { Action, AnswerVerification, TurnContent } from '../../domain';
import { lineOf } from '../asking';
import type { JudgedDecision, TurnReader } from '../kind';
import type { PlanNode } from '../plan-node';
import {
  turnJudgeCost,
  EVALUATOR,
  detailOf,
  NODE,
  resultOf,
  skippedDetail,
  TITLE,
  type TurnDetail,
} from './detail';
import type { TurnConfig, TurnSubject } from './subject';
import { ruleTurn } from './verdict';

/**
 * An answer that the gateway verified on its way to the client (QV). The gateway called the judge
 * and the client has the result, so the verdict comes from the record and no judge is called.
 */
export interface AuditedTurn {
  readonly episode: AnswerVerification;
  readonly excerpt: string;
}

/**
 * A turn that the gateway did not verify has no record, regardless of its text, so it is skipped.
 */
export const recordedFromTurn: TurnReader<TurnSubject | AuditedTurn, TurnConfig> = {
  read(turn) {
    const episode = turn.gateway?.episode ?? null;
    if (episode !== null) return { state: 'read', subject: { episode, excerpt: excerptOf(turn) } };
    return {
      state: 'skipped',
      decision: {
        state: 'filtered',
        reason: 'the turn has no verification that the gateway recorded',
      },
      detail: skippedDetail,
    };
  },
};

const excerptOf = ({ answer }: TurnContent): string => lineOf(answer);

export function planRecorded({ episode }: AuditedTurn): readonly PlanNode[] {
  return [
    {
      name: NODE,
      title: TITLE,
      evaluator: EVALUATOR,
      needs: [],
      mustPass: false,
      weight: 1,
      cost: 0,
      timeoutMs: 10_000,
      run: () => resultOf(episode),
    },
  ];
}

export function decideRecorded({ episode }: AuditedTurn): JudgedDecision<TurnDetail> {
  const detail = detailOf(episode, episode.steer);
  const after = episode.steer?.after ?? null;
  return {
    ...ruleTurn(detail, actionOf(episode)),
    detail,
    // Both judge calls: on the original answer, and on the delivered one.
    judgeCost: turnJudgeCost(after === null ? [episode] : [episode, after]),
    toCache: null,
    isRecorded: true,
  };
}

/**
 * `accept`: a regenerated answer was delivered instead of the original. `accept_with_warning`: the
 * flagged answer was delivered unchanged.
 */
function actionOf({ decision, steer }: AnswerVerification): Action {
  if (decision !== 'steer') return 'none';
  return steer?.state === 'applied' ? 'accept' : 'accept_with_warning';
}
