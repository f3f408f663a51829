import Link from 'next/link';
import type { ReactNode } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import type { SpanTree, TraceData } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText, countText, durationText } from '../amounts';
import { costBasisText, lacksPrice } from '../cost-basis';
import { ErrorIcon } from '../span-styles';
import { TraceMark } from '../trace-table';

interface TraceHeadProps {
  project: string;
  id: string;
  data: TraceData;
  tree: SpanTree;
  /** The freshness of the page. */
  children: ReactNode;
}

export function TraceHead({ project, id, data, tree, children }: TraceHeadProps) {
  const { trace } = data;
  const name = trace?.name ?? tree.rows[0]?.name ?? id;
  const tokens = (trace?.inputTokens ?? 0) + (trace?.outputTokens ?? 0);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-0.5">
        <Crumbs
          trail={[{ name: 'Traces', href: `/p/${project}/traces`, list: `${project}/traces` }]}
          pageName="Trace"
        />
        <h1 className="line-clamp-2 [overflow-wrap:anywhere] [unicode-bidi:isolate]">
          <VisibleText text={trace?.inputExcerpt ?? (name === '' ? id : name)} />
        </h1>
        <div className="text-ink-2 flex flex-wrap items-center gap-x-3">
          {trace === null ? (
            <span>Turns name this trace; none of its spans has arrived</span>
          ) : (
            <TraceMark row={trace} />
          )}
          {trace?.inputExcerpt == null ? null : (
            <span className="[overflow-wrap:anywhere]">
              <VisibleText text={name} />
            </span>
          )}
          {trace?.service ? (
            <span className="[overflow-wrap:anywhere]">
              <VisibleText text={trace.service} />
            </span>
          ) : null}
          {tree.durationMs === null ? null : <span>{durationText(tree.durationMs)}</span>}
          {tree.rows.length > 0 ? (
            <span>
              {tree.rows.length.toLocaleString('en')} {tree.rows.length === 1 ? 'span' : 'spans'}
            </span>
          ) : null}
          {trace !== null && trace.errors > 0 ? (
            <span className="text-ink flex items-center gap-1">
              <ErrorIcon />
              {trace.errors.toLocaleString('en')} {trace.errors === 1 ? 'error' : 'errors'}
            </span>
          ) : null}
          {tokens > 0 ? <span>{countText(tokens)} tokens</span> : null}
          {trace === null || trace.costBasis === null ? null : (
            <span title={costBasisText(trace.costBasis)}>
              {lacksPrice(trace.costBasis) && trace.costUsd !== null ? 'at least ' : ''}
              {trace.costUsd === null ? 'no price' : costText(trace.costUsd)}
            </span>
          )}
          {trace === null ? null : (
            <span>
              <Age at={trace.receivedAt} /> ago
            </span>
          )}
        </div>
      </div>
      <nav aria-label="Trace" className="text-ink-2 flex items-center gap-3">
        {children}
        {trace?.sessionId ? (
          <Link
            href={`/p/${project}/sessions/${encodeURIComponent(trace.sessionId)}`}
            className="hover:text-ink underline"
          >
            Session
          </Link>
        ) : null}
        <span className="text-12 text-ink-3 hidden md:inline">
          <kbd className="font-mono">j</kbd> next · <kbd className="font-mono">k</kbd> previous ·{' '}
          <kbd className="font-mono">Enter</kbd> content · <kbd className="font-mono">Esc</kbd> back
        </span>
      </nav>
    </div>
  );
}
