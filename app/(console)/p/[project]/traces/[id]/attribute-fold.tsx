import type { ReactNode } from 'react';
import type { SpanContent } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { LongText } from '../../verdicts/[id]/block';
import { durationText } from '../amounts';

type Pairs = SpanContent['attributes'];

/**
 * All attributes of the span, unchanged; collapsed, since the messages above are derived from them.
 */
export function AttributeFold({ span }: { span: SpanContent }) {
  const { dropped } = span;
  const lost = [
    dropped.attributes > 0 ? `${dropped.attributes} attributes` : '',
    dropped.events > 0 ? `${dropped.events} events` : '',
    dropped.links > 0 ? `${dropped.links} links` : '',
  ].filter(Boolean);
  return (
    <>
      <Fold name={`Attributes (${span.attributes.length})`} isEmpty={span.attributes.length === 0}>
        <PairList pairs={span.attributes} />
      </Fold>
      <Fold name={`Events (${span.events.length})`} isEmpty={span.events.length === 0}>
        <ol className="grid gap-3">
          {span.events.map((event, index) => (
            <li key={index} className="grid gap-1">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <code className="text-12 min-w-0 font-mono [overflow-wrap:anywhere]">
                  <VisibleText text={event.name} />
                </code>
                <span className="text-12 text-ink-3">
                  {event.atMs === null ? '' : `after ${durationText(Math.max(0, event.atMs))}`}
                </span>
              </p>
              <PairList pairs={event.attributes} />
            </li>
          ))}
        </ol>
      </Fold>
      <Fold name={`Resource (${span.resource.length})`} isEmpty={span.resource.length === 0}>
        <PairList pairs={span.resource} />
      </Fold>
      <p className="text-12 text-ink-3">
        Kind {span.kind}
        {span.scope === '' ? null : (
          <>
            {', created by '}
            <VisibleText text={span.scope} />
          </>
        )}
        {span.links > 0 ? `, ${span.links} ${span.links === 1 ? 'link' : 'links'}` : null}
        {lost.length > 0 ? `. Dropped before arrival: ${lost.join(', ')}` : null}
      </p>
    </>
  );
}

function Fold({
  name,
  isEmpty,
  children,
}: {
  name: string;
  isEmpty: boolean;
  children: ReactNode;
}) {
  if (isEmpty) return null;
  return (
    <details className="bg-surface border-line rounded-8 min-w-0 border">
      <summary className="text-13 min-h-9 px-3 py-2 font-semibold">{name}</summary>
      <div className="border-line min-w-0 border-t p-3">{children}</div>
    </details>
  );
}

function PairList({ pairs }: { pairs: Pairs }) {
  return (
    <dl className="grid gap-2">
      {pairs.map((pair) => (
        <div key={pair.name} className="grid min-w-0 gap-0.5">
          <dt className="text-12 text-ink-3 font-mono [overflow-wrap:anywhere]">
            <VisibleText text={pair.name} />
          </dt>
          <dd className="min-w-0">
            <LongText text={pair.text} mono />
          </dd>
        </div>
      ))}
    </dl>
  );
}
