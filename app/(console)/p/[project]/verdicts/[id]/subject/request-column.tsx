import type { Score } from '@/server/domain';
import type { VerdictSubject } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText } from '../block';
import type { JudgedCriterion } from './criterion-scores';
import type { QuoteSpan } from './quote-pieces';
import { QuotedText } from './quoted-text';
import { useQuoteLinking } from './quote-linking';
import { plainNumber } from './words';

interface RequestColumnProps {
  subject: VerdictSubject;
  criteria: readonly JudgedCriterion[];
  scores: readonly Score[];
  quotes: ReadonlyMap<string, readonly QuoteSpan[]>;
}

const none: [] = [];

/** The request: the description, the criteria, and the available sources. */
export function RequestColumn({
  subject: { content },
  criteria,
  scores,
  quotes,
}: RequestColumnProps) {
  // Other kinds use their sender's names for outputs, and one may be `context`.
  const quotesOf = (name: string) => (content.isQuoted ? (quotes.get(name) ?? none) : none);
  return (
    <div className="grid content-start gap-4">
      {content.title === null ? null : (
        <Block title={content.title}>
          {content.description === '' ? (
            <p className="text-ink-3">No description was given.</p>
          ) : (
            <QuotedText
              name="task"
              text={content.description}
              spans={quotesOf('task')}
              scores={scores}
            />
          )}
        </Block>
      )}
      {content.criteria !== null ? (
        <Block
          title="Criteria"
          aside={<span className="text-12 text-ink-3">{criteria.length}</span>}
        >
          <CriterionList criteria={criteria} />
        </Block>
      ) : null}
      {content.context === '' ? null : (
        <Block title="Shared context">
          <QuotedText
            name="context"
            text={content.context}
            spans={quotesOf('context')}
            scores={scores}
          />
        </Block>
      )}
      {content.other === null ? null : (
        <Block title="Stored content">
          <p className="text-12 text-ink-3 pb-2">This release cannot read it otherwise.</p>
          <LongText text={content.other} mono />
        </Block>
      )}
    </div>
  );
}

function CriterionList({ criteria }: { criteria: readonly JudgedCriterion[] }) {
  const { toScore } = useQuoteLinking();
  if (criteria.length === 0)
    return <p className="text-ink-2">The task has no criteria, so there was nothing to measure.</p>;
  return (
    <ol className="grid gap-2">
      {criteria.map(({ criterion, title, placed }, at) => (
        <li key={at} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-1">
          <span className="text-ink-3">{at + 1}.</span>
          <div className="grid min-w-0 gap-0.5">
            <p className="[overflow-wrap:anywhere]">
              {placed === null ? (
                <VisibleText text={title} />
              ) : (
                <button
                  type="button"
                  onClick={() => toScore([placed.index])}
                  className="text-left [overflow-wrap:anywhere] hover:underline"
                >
                  <VisibleText text={title} />
                  <span className="sr-only">, go to its score</span>
                </button>
              )}
            </p>
            <p className="text-12 text-ink-3">
              {criterion.check === null ? 'for a judge' : `check ${criterion.check}`}
              {criterion.mustPass ? ' · must pass' : ''} · weight {plainNumber(criterion.weight)}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
