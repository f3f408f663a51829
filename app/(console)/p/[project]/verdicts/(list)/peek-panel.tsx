'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { VerdictDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button, buttonClass } from '@/app/_ui/button';
import { Age } from '@/app/_ui/moment';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, Facts, textClass } from '../[id]/block';
import { ScoreList } from '../[id]/score-list';
import { plainNumber } from '../[id]/subject/words';
import { firstEvidence } from './first-evidence';
import { storedOutcome } from '../[id]/verdict-title';

interface PeekPanelProps {
  project: string;
  id: string;
  onClose: () => void;
  /** Remembers the row that was opened. */
  onOpen: (id: string) => void;
}

const scoresShown = 4;
const charsShown = 800;

/**
 * One verdict next to the list, below the filters: its mark, its first evidence, the answer, and
 * links. On a narrow page it is a sheet.
 */
export function PeekPanel({ project, id, onClose, onOpen }: PeekPanelProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(
    useTRPC().verdicts.get.queryOptions(
      { project, id },
      { placeholderData: keepPreviousData, staleTime: 30_000, retry: false },
    ),
  );
  const href = `/p/${project}/verdicts/${encodeURIComponent(id)}`;
  return (
    <aside
      aria-label="Peek"
      className="bg-page border-line max-lg:shadow-raised lg:rounded-8 z-10 overflow-y-auto max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:max-h-[65dvh] max-lg:border-t lg:sticky lg:top-4 lg:max-h-[calc(100dvh-32px)] lg:border"
    >
      <div className="grid gap-3 p-4">
        <div className="flex items-center justify-between gap-2">
          <div className="flex flex-wrap gap-2">
            <Link
              href={href}
              prefetch={false}
              onClick={() => onOpen(id)}
              className={buttonClass('primary')}
            >
              Open verdict
            </Link>
            <Link
              href={`${href}#people`}
              prefetch={false}
              onClick={() => onOpen(id)}
              className={buttonClass()}
            >
              Overrule or grade
            </Link>
          </div>
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
        </div>
        {error ? (
          <ErrorPanel
            what="The verdict could not be read"
            works="The list is unchanged."
            problem={problemOf(error)}
            onRetry={() => void refetch()}
          />
        ) : data === undefined ? (
          <>
            <Skeleton className="h-24" />
            <Skeleton className="h-40" />
          </>
        ) : (
          <div
            aria-busy={isPlaceholderData}
            className={`grid gap-3 ${isPlaceholderData ? 'opacity-60' : ''}`}
          >
            <PeekContent verdict={data} />
          </div>
        )}
        <p className="text-12 text-ink-3 max-lg:hidden">
          <kbd className="font-mono">j</kbd> next · <kbd className="font-mono">k</kbd> previous ·{' '}
          <kbd className="font-mono">Enter</kbd> open · <kbd className="font-mono">Esc</kbd> close
        </p>
      </div>
    </aside>
  );
}

function PeekContent({ verdict }: { verdict: VerdictDetail }) {
  const { people, scores, turn, excerpt, model } = verdict;
  const answer = turn?.output ?? excerpt;
  return (
    <>
      <div className="text-16 font-semibold">
        <VerdictBadge
          {...verdict}
          outcome={storedOutcome(verdict)}
          ruled={people.ruled}
          size={18}
        />
      </div>
      <Facts
        list={[
          [
            'Verifier',
            <code key="verifier" className="text-12 font-mono">
              {verdict.verifier}
            </code>,
          ],
          ...(model === null
            ? []
            : [
                [
                  'Model',
                  <code key="model" className="text-12 font-mono">
                    <VisibleText text={model} />
                  </code>,
                ] as const,
              ]),
          ...(verdict.score === null ? [] : [['Score', scoreText(verdict)] as const]),
          [
            verdict.settledAt === null ? 'Received' : 'Settled',
            <Ago key="age" at={verdict.settledAt ?? verdict.createdAt} />,
          ],
        ]}
      />
      <Block title="First evidence">
        <Evidence verdict={verdict} />
      </Block>
      <Block title={turn === null ? 'Work' : 'Answer'}>
        <div className={textClass}>
          {answer === '' ? (
            <span className="text-ink-3">Empty answer</span>
          ) : (
            <VisibleText text={shortened(answer)} />
          )}
        </div>
      </Block>
      <Block
        title="Scores"
        aside={
          scores.length > scoresShown ? (
            <span className="text-12 text-ink-3">{`${scoresShown} of ${scores.length}`}</span>
          ) : null
        }
      >
        <ScoreList scores={scores.slice(0, scoresShown)} />
      </Block>
    </>
  );
}

const Ago = ({ at }: { at: Date }) => (
  <>
    <Age at={at} /> ago
  </>
);

function Evidence({ verdict }: { verdict: VerdictDetail }) {
  const first = firstEvidence({
    figures: verdict.integrity?.figures ?? [],
    issues: verdict.issues,
    scores: verdict.scores,
  });
  if (first === null) return <p className="text-ink-2">Nothing was measured.</p>;
  const { state, what, why, more, noun } = first;
  return (
    <div className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
      <span className="pt-[3px]">
        <VerdictIcon state={state} />
      </span>
      <div className="grid min-w-0 gap-0.5 [overflow-wrap:anywhere]">
        <p className="font-semibold">
          <VisibleText text={what} />
        </p>
        {why === null ? null : (
          <p className="text-ink-2">
            <VisibleText text={why} />
          </p>
        )}
        {more > 0 ? (
          <p className="text-12 text-ink-3">
            {more.toLocaleString('en')} more {more === 1 ? noun : `${noun}s`} on its page
          </p>
        ) : null}
      </div>
    </div>
  );
}

function scoreText({ score, threshold }: VerdictDetail): string {
  const measured = plainNumber(score ?? 0);
  return threshold === null ? measured : `${measured}, passes from ${plainNumber(threshold.value)}`;
}

/** Never splits a character. */
function shortened(text: string): string {
  return text.length <= charsShown
    ? text
    : `${text.slice(0, charsShown).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
