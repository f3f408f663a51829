'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Dispatch, useRef } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewItem } from '@/app/_trpc/outputs';
import { type Problem, problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import type { DeskEvent, Ruled, Said } from './desk-state';
import { answerWords } from './desk-words';

export interface RulingCallbacks {
  /** The ruling was refused for want of a reason. */
  readonly onReasonMissing: (item: string, said: Said) => void;
  readonly onUndone: (item: string, said: Said | null) => void;
}

interface RulingsIn extends RulingCallbacks {
  readonly project: string;
  /** What is done one after the other. */
  readonly scope: { readonly id: string };
  readonly dispatch: Dispatch<DeskEvent>;
  readonly onStored: () => void;
}

interface Rulings {
  readonly isBusy: boolean;
  readonly undoProblem: Problem | null;
  readonly rule: (item: ReviewItem, said: Said) => void;
  readonly undo: (ruled: Ruled) => void;
}

/** Ruling and taking back: shown at once, and corrected by what the server says. */
export function useRulings({ project, scope, dispatch, onStored, onReasonMissing, onUndone }: RulingsIn): Rulings {
  const trpc = useTRPC();
  const client = useQueryClient();
  const sent = useRef(new Map<string, { item: ReviewItem; said: Said }>());
  const rule = useMutation(
    trpc.review.rule.mutationOptions({
      scope,
      onSuccess: (told) => {
        dispatch({ type: 'stored', told });
        onStored();
      },
      onError: (error, { item: id }) => {
        const was = sent.current.get(id);
        if (was === undefined) return;
        const problem = problemOf(error);
        if (problem.fields['reason'] === undefined) return dispatch({ type: 'refused', ...was, problem });
        dispatch({ type: 'undone', item: was.item });
        onReasonMissing(id, was.said);
      },
    }),
  );
  const undo = useMutation(
    trpc.review.undo.mutationOptions({
      scope,
      onSuccess: (item) => {
        // What others said of it is not for the next look.
        client.removeQueries({ queryKey: trpc.review.content.queryKey({ project, item: item.id }) });
        onUndone(item.id, sent.current.get(item.id)?.said ?? null);
        dispatch({ type: 'undone', item });
        announce('Taken back');
        onStored();
      },
      onError: (_error, { item }) => dispatch({ type: 'undoing', item, on: false }),
    }),
  );
  return {
    isBusy: rule.isPending || undo.isPending,
    undoProblem: undo.error ? problemOf(undo.error) : null,
    rule: (item, said) => {
      sent.current.set(item.id, { item, said });
      undo.reset();
      dispatch({ type: 'ruled', item, said });
      announce(answerWords[said.answer].name);
      const { answer, reason, grade } = said;
      rule.mutate({ project, item: item.id, answer, ...(reason !== null && { reason }), ...(grade !== null && { grade }) });
    },
    undo: ({ item, said }) => {
      sent.current.set(item.id, { item, said });
      dispatch({ type: 'undoing', item: item.id, on: true });
      undo.mutate({ project, item: item.id });
    },
  };
}
