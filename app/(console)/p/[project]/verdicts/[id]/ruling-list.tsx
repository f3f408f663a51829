'use client';

import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Ruling } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { deriveOutcome } from '@/server/domain';
import { stepWord } from './next-step';

interface RulingListProps {
  project: string;
  rulings: readonly Ruling[];
  mayUndo: boolean;
  onUndone: () => void;
}

/** All rulings, newest first; undone ones stay, and are marked. */
export function RulingList({ project, rulings, mayUndo, onUndone }: RulingListProps) {
  const list = useRef<HTMLOListElement>(null);
  const undo = useMutation(
    useTRPC().labels.undo.mutationOptions({
      onSuccess: () => {
        // The button is about to disappear; the focus stays in the list.
        list.current?.focus();
        announce('Undone');
        onUndone();
      },
    }),
  );
  if (rulings.length === 0) return null;
  return (
    <div className="border-line grid gap-2 border-t pt-2">
      <ol ref={list} tabIndex={-1} aria-label="Rulings" className="grid gap-2">
        {rulings.map((ruling) => (
          <li key={ruling.id} className="grid gap-0.5">
            <div className="flex flex-wrap items-center justify-between gap-x-2">
              <span
                className={`flex flex-wrap items-center gap-x-2 ${ruling.undone ? 'text-ink-3 line-through' : ''}`}
              >
                {ruling.verdict === null ? null : (
                  <VerdictBadge outcome={deriveOutcome(ruling.verdict)} verdict={ruling.verdict} />
                )}
                {ruling.grade === null ? null : <span>{ruling.grade} of 5</span>}
                {ruling.score === null ? null : <span>score {ruling.score}</span>}
                {ruling.action === null ? null : <span>{stepWord(ruling.action)}</span>}
              </span>
              {mayUndo && ruling.undone === null ? (
                <Button
                  variant="quiet"
                  busy={undo.isPending && undo.variables.id === ruling.id}
                  aria-label={`Undo ${wordOf(ruling)} by ${ruling.rater}`}
                  onClick={() => undo.mutate({ project, id: ruling.id })}
                >
                  Undo
                </Button>
              ) : null}
            </div>
            {ruling.reason === null ? null : (
              <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">
                <VisibleText text={ruling.reason} />
              </p>
            )}
            <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
              <VisibleText text={ruling.rater} />, <Moment at={ruling.createdAt} />
              {ruling.undone === null ? null : (
                <>
                  {' '}
                  · undone by <VisibleText text={ruling.undone.by} />,{' '}
                  <Moment at={ruling.undone.at} />
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
      <FieldError text={undo.error ? problemOf(undo.error).message : null} />
    </div>
  );
}

function wordOf({ verdict, grade, score, action }: Ruling): string {
  if (verdict !== null) return verdict;
  if (grade !== null) return `grade ${grade}`;
  return score === null ? stepWord(action ?? '') : `score ${score}`;
}
