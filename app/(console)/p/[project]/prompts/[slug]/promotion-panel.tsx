'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { Promotion } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { Empty, Panel, Skeleton } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { textName } from './text-name';
import { findingText } from './gate-view';
import { sentenceCase } from './trial-words';

interface PromotionPanelProps {
  project: string;
  /** The prompt's slug; '' for judges. */
  slug: string;
  mayWrite: boolean;
  /** Called when another version may run now. */
  onChanged: () => void;
}

const stateText: Record<Promotion['state'], string> = {
  waiting: 'Waits for another person',
  refused: 'Refused by the gate',
  promoted: 'Promoted',
  forced: 'Gate overridden',
  withdrawn: 'Withdrawn',
  rolled_back: 'Rolled back',
};

/**
 * All requested promotions, with their state and author; each can be approved, withdrawn or rolled
 * back in place.
 */
export function PromotionPanel({ project, slug, mayWrite, onChanged }: PromotionPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const list = useQuery(trpc.promotions.list.queryOptions({ project, slug }));
  const me = useQuery(trpc.account.me.queryOptions());
  const done = (text: string) => ({
    onSuccess: () => {
      announce(text);
      void client.invalidateQueries({ queryKey: trpc.promotions.list.queryKey() });
      onChanged();
    },
  });
  const approve = useMutation(trpc.promotions.approve.mutationOptions(done('Approved')));
  const withdraw = useMutation(trpc.promotions.withdraw.mutationOptions(done('Withdrawn')));
  const rollBack = useMutation(trpc.promotions.rollBack.mutationOptions(done('Rolled back')));
  const problem = list.error ?? approve.error ?? withdraw.error ?? rollBack.error;
  return (
    <Panel title="Promotions">
      <div className="px-4 empty:hidden">
        <FieldError text={problem ? problemOf(problem).message : null} />
      </div>
      {list.data === undefined ? (
        list.error ? null : (
          <Skeleton className="m-4 h-12" />
        )
      ) : list.data.length === 0 ? (
        <Empty title={slug === '' ? 'No changes of judges yet.' : 'Nothing was promoted yet.'} />
      ) : (
        <ol aria-label="Promotions" className="max-h-[50vh] overflow-y-auto">
          {list.data.map((promotion) => (
            <li
              key={promotion.id}
              aria-label={changeText(promotion)}
              className="border-line grid gap-1 border-b px-4 py-2 last:border-0"
            >
              <PromotionText promotion={promotion} />
              {mayWrite ? (
                <p className="flex flex-wrap gap-2 pt-1 empty:hidden">
                  {promotion.state === 'waiting' &&
                  me.data !== undefined &&
                  me.data.user.email !== promotion.createdBy ? (
                    <Button
                      variant="primary"
                      busy={approve.isPending}
                      onClick={() => approve.mutate({ project, id: promotion.id })}
                    >
                      Approve
                    </Button>
                  ) : null}
                  {promotion.state === 'waiting' ? (
                    <Button
                      busy={withdraw.isPending}
                      onClick={() => withdraw.mutate({ project, id: promotion.id })}
                    >
                      Withdraw
                    </Button>
                  ) : null}
                  {promotion.isCurrent ? (
                    <Button
                      busy={rollBack.isPending}
                      onClick={() => rollBack.mutate({ project, id: promotion.id })}
                    >
                      Roll back
                    </Button>
                  ) : null}
                </p>
              ) : null}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function PromotionText({ promotion }: { promotion: Promotion }) {
  const { state, findings, reason, createdBy, createdAt, approvedBy, endedBy, isCurrent } =
    promotion;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
        <span className="font-semibold">{changeText(promotion)}</span>
        <span
          className={
            state === 'forced' || state === 'waiting' ? 'bg-loud rounded-4 px-1.5' : 'text-ink-2'
          }
        >
          {stateText[state]}
        </span>
        {isCurrent ? <span className="text-12 text-ink-2">runs now</span> : null}
      </p>
      <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
        <VisibleText text={createdBy} />, <Age at={createdAt} /> ago
        {approvedBy === null ? null : (
          <>
            ; approved by <VisibleText text={approvedBy} />
          </>
        )}
        {(state === 'rolled_back' || state === 'withdrawn') && endedBy !== null ? (
          <>
            ; {stateText[state].toLowerCase()} by <VisibleText text={endedBy} />
          </>
        ) : null}
      </p>
      {reason === null ? null : (
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={reason} />
        </p>
      )}
      <details className="text-12">
        <summary className="text-ink-2 cursor-pointer">{findingText[findings.verdict]}</summary>
        <ul className="grid gap-1 pt-1 [overflow-wrap:anywhere]">
          {findings.reasons.map((sentence) => (
            <li key={sentence}>{plainText(sentence)}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

function changeText({ slug, before, after }: Promotion): string {
  const name = (text: string): string => {
    if (slug === '') return text === '' ? 'No default judge' : text;
    return sentenceCase(textName(Number(text)));
  };
  return `${name(before)} → ${name(after)}`;
}
