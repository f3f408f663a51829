import type { Action, Episode, TurnContent } from '../../domain';
import type { Kind, Walk } from '../kind';
import type { Asked } from '../subject-kind';
import { askedFor, detailOf, EVALUATOR, LOOK, resultOf, TITLE, type TurnDetail } from './detail';
import { turnFields } from './fields';
import { TurnConfig } from './subject';
import { ruleTurn } from './verdict';

/**
 * The episode that the gateway recorded with a turn of its own; null for any other turn, whatever
 * its text says.
 */
export function recordedEpisode(turn: TurnContent): Episode | null {
  return turn.gateway?.episode ?? null;
}

/**
 * An answer that the gateway audited on its way to the client (QV). The look was taken then, and
 * the client was told of it: the verdict is read off the record, and no one is asked.
 */
export const recordedTurn: Kind<TurnConfig, Episode, TurnDetail> = {
  name: 'turn',
  config: TurnConfig,
  fields: turnFields,
  plan: (episode) => [
    {
      name: LOOK,
      title: TITLE,
      evaluator: EVALUATOR,
      needs: [],
      mustPass: false,
      weight: 1,
      price: 0,
      timeoutMs: 10_000,
      run: () => resultOf(episode),
    },
  ],
  decide: (_walk: Walk, episode) => {
    const detail = detailOf(episode, episode.steer);
    return { ...ruleTurn(detail, actionOf(episode)), detail };
  },
};

/**
 * A recalled answer was delivered in its place; an answer that only was flagged went out all the
 * same.
 */
function actionOf({ decision, steer }: Episode): Action {
  if (decision !== 'steer') return 'none';
  return steer?.state === 'applied' ? 'accept' : 'accept_with_warning';
}

/** Both looks: at the answer, and at what was delivered. */
export function askedOfRecord(episode: Episode): Asked {
  const after = episode.steer?.after ?? null;
  return askedFor(after === null ? [episode] : [episode, after]);
}
