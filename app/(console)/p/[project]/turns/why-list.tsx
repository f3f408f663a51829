import Link from 'next/link';
import type { Decision } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { decisionWord } from '@/app/_ui/why';

interface WhyListProps {
  project: string;
  decisions: readonly Decision[];
  /** The turn has a verdict: without a decision it was a verify call. */
  verified: boolean;
}

/** Each rule's decision on a turn: why there is a verdict, or none. */
export function WhyList({ project, decisions, verified }: WhyListProps) {
  // Every rule stores a decision: without any, the project had no rules when the turn arrived, or
  // the turn came from a verify call.
  if (decisions.length === 0) {
    return (
      <p className="text-ink-2">
        {verified
          ? 'A verify call requested its verdict; no rule of this project evaluated this turn.'
          : 'No rule of this project evaluated this turn, so it was not verified.'}
      </p>
    );
  }
  return (
    <ul className="grid gap-2">
      {decisions.map((decision) => (
        <li key={`${decision.rule} ${decision.revision}`} className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <Link
              href={`/p/${project}/rules/${encodeURIComponent(decision.rule)}`}
              className="font-semibold [overflow-wrap:anywhere] hover:underline"
            >
              <VisibleText text={decision.rule} />
            </Link>
            {decision.verdictId === null ? (
              <span>{decisionWord(decision)}</span>
            ) : (
              <Link
                href={`/p/${project}/verdicts/${encodeURIComponent(decision.verdictId)}`}
                className="underline"
              >
                {decisionWord(decision)}
              </Link>
            )}
            <span className="text-12 text-ink-3 ml-auto">
              <Age at={decision.decidedAt} />
            </span>
          </p>
          {decision.reason === null ? null : (
            <p className="text-ink-2 [overflow-wrap:anywhere]">
              <VisibleText text={decision.reason} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
