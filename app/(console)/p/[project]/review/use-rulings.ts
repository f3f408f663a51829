'use client';

import { useQueryClient } from '@tanstack/react-query';
import { TRPCClientError } from '@trpc/client';
import { type Dispatch, useEffect, useEffectEvent, useState } from 'react';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ReviewItem } from '@/app/_trpc/outputs';
import { type Problem, problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { type ReviewEvent, isForMe, type Ruled, type RulingDraft } from './review-state';
import { answerWords } from './review-words';
import { dropUnsent, storeUnsent, recallUnsent } from './ruled-memory';
import { queueOf } from './store-queue';

export interface RulingCallbacks {
  /** The ruling was refused because the reason is missing. */
  readonly onReasonMissing: (item: string, said: RulingDraft) => void;
  /** The ruling is being undone: its text may be edited. */
  readonly onUndoing: (item: string, said: RulingDraft) => void;
}

interface RulingsIn extends RulingCallbacks {
  readonly project: string;
  /** The signed-in user. */
  readonly reader: string;
  readonly dispatch: Dispatch<ReviewEvent>;
  readonly onStored: () => void;
}

interface Rulings {
  readonly undoProblem: Problem | null;
  readonly rule: (item: ReviewItem, said: RulingDraft) => void;
  readonly undo: (ruled: Ruled) => void;
}

/**
 * A final refusal by the server; an unavailable or busy server, or an expired session, is not a
 * refusal of the ruling.
 */
function isRefusal(error: unknown): boolean {
  const status = error instanceof TRPCClientError ? Number(error.data?.httpStatus ?? 0) : 0;
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}

/**
 * Rulings are shown at once and corrected by the server's answer; undos are shown once the server
 * confirms them. The tab stores unanswered rulings and resends them when the page is reloaded: a
 * repeated ruling is stored once.
 */
export function useRulings({
  project,
  reader,
  dispatch,
  onStored,
  onReasonMissing,
  onUndoing,
}: RulingsIn): Rulings {
  const server = useTRPCClient();
  const [undoProblem, setUndoProblem] = useState<Problem | null>(null);
  const undoRuling = useUndo({ project, reader, dispatch, onStored, onUndoing, setUndoProblem });
  const queue = queueOf(`${project} ${reader}`);

  const send = async (item: ReviewItem, said: RulingDraft): Promise<void> => {
    const { answer, reason, grade, bulk } = said;
    const body = {
      project,
      item: item.id,
      answer,
      ...(reason !== null && { reason }),
      ...(grade !== null && { grade }),
      ...(bulk !== null && { bulk: bulk.items }),
    };
    dispatch({ type: 'ruled', item, said });
    try {
      const stored = await queue.add(item.id, () => server.review.rule.mutate(body));
      dropUnsent(project, reader, item.id, said);
      dispatch({ type: 'stored', stored });
      onStored();
    } catch (error) {
      const problem = problemOf(error);
      if (isRefusal(error)) dropUnsent(project, reader, item.id, said);
      if (problem.fields['reason'] === undefined)
        return dispatch({ type: 'refused', item, said, problem });
      dispatch({ type: 'undone', item });
      onReasonMissing(item.id, said);
    }
  };
  const sendAgain = useEffectEvent(() => {
    for (const { item, said } of recallUnsent(project, reader)) void send(item, said);
  });
  useEffect(() => sendAgain(), [project, reader]);

  return {
    undoProblem,
    rule: (item, said) => {
      setUndoProblem(null);
      storeUnsent(project, reader, { item, said });
      announce(answerWords[said.answer].name);
      void send(item, said);
    },
    undo: (ruled) => void undoRuling(ruled),
  };
}

interface UndoInput extends Omit<RulingsIn, 'onReasonMissing'> {
  readonly setUndoProblem: (problem: Problem | null) => void;
}

function useUndo({
  project,
  reader,
  dispatch,
  onStored,
  onUndoing,
  setUndoProblem,
}: UndoInput): (ruled: Ruled) => Promise<void> {
  const trpc = useTRPC();
  const server = useTRPCClient();
  const client = useQueryClient();
  const queue = queueOf(`${project} ${reader}`);
  return async ({ item, said }: Ruled): Promise<void> => {
    setUndoProblem(null);
    onUndoing(item.id, said);
    dispatch({ type: 'undoing', item: item.id, on: true });
    try {
      const back = await queue.add(item.id, () =>
        server.review.undo.mutate({ project, item: item.id }),
      );
      dropUnsent(project, reader, item.id);
      // The verdict and others' rulings must not be visible when the item is reviewed again.
      void client.resetQueries({
        queryKey: trpc.review.content.queryKey({ project, item: item.id }),
      });
      dispatch({ type: 'undone', item: back });
      announce(
        isForMe(back)
          ? 'Ruling undone'
          : 'Ruling undone. The item is settled or reserved by others.',
      );
      onStored();
    } catch (error) {
      dispatch({ type: 'undoing', item: item.id, on: false });
      setUndoProblem(problemOf(error));
      announce('The ruling could not be undone');
    }
  };
}
