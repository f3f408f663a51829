import Link from 'next/link';
import type { ReactNode } from 'react';
import type { PipelineData } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { LongText, textClass } from '../../verdicts/[id]/block';
import { plainNumber } from '../../verdicts/[id]/subject/words';
import { storedStateOf } from '../checkpoint-words';
import { Fold } from './fold';

/** The members that attempts of all checkpoints share. */
export type Attempt =
  | PipelineData['syntheses'][number]
  | PipelineData['decompositions'][number]
  | PipelineData['outputs'][number]['attempts'][number];

interface AttemptCardProps {
  project: string;
  /** `decomposition attempt 2`, for the name of the link. */
  name: string;
  number: number;
  attempt: Attempt;
  /** Measured values, in addition to the verdict. */
  measured?: ReactNode;
  children: ReactNode;
}

/** Issues shown before the list is expanded. */
const shownIssues = 4;

/** One attempt: its verdict, the reason, and its content. */
export function AttemptCard({
  project,
  name,
  number,
  attempt,
  measured,
  children,
}: AttemptCardProps) {
  const { score, passesFrom, retries, reason } = attempt;
  return (
    <li className="bg-surface border-line rounded-8 min-w-0 border">
      <header className="border-line grid gap-0.5 border-b px-3 py-2">
        <div className="flex flex-wrap items-center gap-x-3">
          <h3 className="text-13 font-semibold">Attempt {number}</h3>
          <VerdictBadge {...attempt} outcome={storedStateOf(attempt)} />
          {score === null ? null : (
            <span className="text-ink-2">
              score {plainNumber(score)}
              {passesFrom === null || attempt.verdict === 'PASS'
                ? ''
                : `, passes from ${plainNumber(passesFrom)}`}
            </span>
          )}
          <Link
            href={`/p/${project}/verdicts/${encodeURIComponent(attempt.verdictId)}`}
            prefetch={false}
            aria-label={`Verdict of ${name}`}
            className="text-ink-2 hover:text-ink ml-auto underline"
          >
            Verdict
          </Link>
        </div>
        <div className="text-12 text-ink-3 flex flex-wrap gap-x-3">
          {measured}
          {attempt.selfVerified ? (
            <span className="text-ink font-semibold">self-verified</span>
          ) : null}
          {retries === null ? null : (
            <span>
              {retries.used} of {retries.budget} retries used
            </span>
          )}
          <span>
            {attempt.priceUnknown ? 'at least ' : ''}
            {costText(attempt.costUsd)}
            {attempt.workUsd === null ? '' : `, the work ${costText(attempt.workUsd)}`}
          </span>
          <span>
            <Age at={attempt.at} /> ago
          </span>
        </div>
      </header>
      <div className="grid min-w-0 gap-3 p-3">
        {reason === null ? null : (
          <p className={textClass}>
            <VisibleText text={reason} />
          </p>
        )}
        <Issues issues={attempt.issues} />
        {children}
        {attempt.feedback === null ||
        attempt.feedback === '' ||
        attempt.feedback === reason ? null : (
          <Fold
            summary={attempt.verdict === 'RETRY' ? 'Feedback for the next attempt' : 'Feedback'}
          >
            <LongText text={attempt.feedback} mono />
          </Fold>
        )}
      </div>
    </li>
  );
}

function Issues({ issues }: { issues: Attempt['issues'] }) {
  if (issues.length === 0) return null;
  const list = (some: Attempt['issues']) => (
    <ul className="grid gap-1">
      {some.map((issue, index) => (
        <li key={index} className="min-w-0 [overflow-wrap:anywhere]">
          <code className="text-12 text-ink-3 font-mono">{issue.severity}</code>{' '}
          <VisibleText text={issue.message} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className="grid gap-1">
      <h4 className="text-12 text-ink-3">
        {issues.length === 1 ? '1 issue' : `${issues.length} issues`}
      </h4>
      {list(issues.slice(0, shownIssues))}
      {issues.length > shownIssues ? (
        <Fold summary={`${issues.length - shownIssues} more`}>
          {list(issues.slice(shownIssues))}
        </Fold>
      ) : null}
    </div>
  );
}
