'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsString, useQueryState } from 'nuqs';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { SpanTree as Tree, TraceData, TurnMark, TraceTurn } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from '../../verdicts/[id]/block';
import { worstOf } from '../mark-styles';
import { shownState, wordOf } from '@/app/_ui/verdict-styles';
import { EvidenceColumn } from './evidence-column';
import { SpanPanel } from './span-panel';
import { SpanTree } from './span-tree';
import { TraceHead } from './trace-head';
import { useSpanKeys } from './use-span-keys';
import { foldedAtFirst, expandTo, visibleRows } from './visible-rows';

interface TraceViewProps {
  project: string;
  id: string;
  data: TraceData;
  tree: Tree;
  /** The button that deletes it, for users with the permission. */
  deletion?: ReactNode;
}

export function TraceView({ project, id, deletion, ...first }: TraceViewProps) {
  const { data, tree, live, readAt, error, retry } = useTrace(project, id, first);
  const marks = useMemo(() => marksBySpan(data), [data]);
  const [chosenSpan, setChosenSpan] = useQueryState(
    'span',
    parseAsString.withOptions({ history: 'replace' }),
  );
  const known = tree.rows.findIndex((row) => row.id === chosenSpan);
  const selected = known === -1 ? initialSpan(data, tree, marks) : chosenSpan;
  const at = tree.rows.findIndex((row) => row.id === selected);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const folded = useMemo(
    () => expandTo(tree.rows, chosen ?? foldedAtFirst(tree.rows), at),
    [tree.rows, chosen, at],
  );
  const shown = useMemo(() => visibleRows(tree.rows, folded), [tree.rows, folded]);
  const treeArea = useRef<HTMLDivElement>(null);
  const contentArea = useRef<HTMLDivElement>(null);
  const select = (spanId: string) => void setChosenSpan(spanId);
  const fold = (spanId: string, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(spanId);
    else next.delete(spanId);
    setChosen(next);
  };
  useSpanKeys({
    project,
    rows: tree.rows,
    shown,
    folded,
    selected,
    tree: treeArea,
    content: contentArea,
    select,
    fold,
  });
  const nameOf = (spanId: string) => tree.rows.find((row) => row.id === spanId)?.name ?? null;
  return (
    <div className="flex flex-col gap-4 px-4 py-4 md:px-6 xl:h-dvh xl:pb-0">
      <TraceHead project={project} id={id} data={data} tree={tree}>
        <LiveMark state={live} readAt={readAt} />
        {deletion}
      </TraceHead>
      {error === null ? null : (
        <ErrorPanel
          what="The trace could not be read again"
          works="The page shows the last loaded data."
          problem={error}
          onRetry={retry}
        />
      )}
      <div className="grid gap-4 xl:min-h-0 xl:flex-1 xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)_320px] xl:grid-rows-[minmax(0,1fr)]">
        <Column name="Span tree">
          {tree.rows.length > 0 ? (
            <SpanTree
              tree={tree}
              shown={shown}
              folded={folded}
              selected={selected}
              marks={marks}
              area={treeArea}
              onSelect={select}
              onFold={fold}
            />
          ) : (
            <Empty title="No spans received yet." />
          )}
          <LooseTurns project={project} turns={data.turns} />
        </Column>
        <Column name="Content" area={contentArea}>
          {selected === null ? null : (
            <SpanPanel project={project} traceId={id} spanId={selected} />
          )}
        </Column>
        <Column name="Evidence">
          <EvidenceColumn
            project={project}
            data={data}
            nameOf={nameOf}
            selected={selected}
            onSelect={select}
          />
        </Column>
      </div>
    </div>
  );
}

/**
 * On a wide screen each column scrolls by itself, so that tree, content and evidence are visible
 * side by side.
 */
function Column({
  name,
  area,
  children,
}: {
  name: string;
  area?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}) {
  return (
    <div
      ref={area}
      role="region"
      aria-label={name}
      tabIndex={0}
      className="grid min-w-0 content-start gap-4 xl:-mx-1 xl:overflow-y-auto xl:px-1 xl:pb-4"
    >
      {children}
    </div>
  );
}

/**
 * The current trace, refetched when verdicts settle; its spans, which may be many, are refetched
 * only when new ones have arrived.
 */
function useTrace(project: string, id: string, first: { data: TraceData; tree: Tree }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const input = { project, id };
  const options = trpc.traces.get.queryOptions(input, { initialData: first.data });
  const spans = trpc.traces.spans.queryOptions(input, {
    initialData: first.tree,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const trace = useQuery(options);
  const tree = useQuery(spans);
  const live = useLive(
    project,
    () => void client.invalidateQueries({ queryKey: options.queryKey }),
  );
  const stamp = stampOf(trace.data);
  const read = useRef(stampOf(first.data));
  useEffect(() => {
    if (read.current === stamp) return;
    read.current = stamp;
    void client.invalidateQueries({ queryKey: trpc.traces.spans.queryKey({ project, id }) });
  }, [client, trpc, project, id, stamp]);
  const error = trace.error ?? tree.error;
  return {
    data: trace.data,
    tree: tree.data,
    live,
    readAt: trace.dataUpdatedAt,
    error: error === null ? null : problemOf(error),
    retry: () => void Promise.all([trace.refetch(), tree.refetch()]),
  };
}

function stampOf({ trace }: TraceData): number {
  return trace === null ? 0 : trace.lastReceivedAt.getTime();
}

function marksBySpan(data: TraceData): ReadonlyMap<string, readonly TurnMark[]> {
  return new Map(
    data.turns.flatMap((turn) =>
      turn.spanId === null || turn.superseded ? [] : [[turn.spanId, turn.marks] as const],
    ),
  );
}

/**
 * The span selected at first: the one with the worst verdict, else the first with a turn, else the
 * first.
 */
function initialSpan(
  data: TraceData,
  tree: Tree,
  marks: ReadonlyMap<string, readonly TurnMark[]>,
): string | null {
  const worst = worstOf([...marks.values()].flat().map((mark) => mark.state));
  const bad = [...marks].find(
    ([, spanMarks]) => worst !== null && spanMarks.some((mark) => mark.state === worst),
  )?.[0];
  const spanIds = new Set(tree.rows.map((row) => row.id));
  const turn =
    data.turns.find(
      ({ spanId, superseded }) => spanId !== null && !superseded && spanIds.has(spanId),
    )?.spanId ?? null;
  return (bad !== undefined && spanIds.has(bad) ? bad : turn) ?? tree.rows[0]?.id ?? null;
}

/** Turns that name the trace and were sent separately, not as spans. */
function LooseTurns({ project, turns }: { project: string; turns: readonly TraceTurn[] }) {
  const turnsWithoutSpan = turns.filter((turn) => turn.spanId === null);
  if (turnsWithoutSpan.length === 0) return null;
  return (
    <Block title={`Turns sent for this trace (${turnsWithoutSpan.length.toLocaleString('en')})`}>
      <ul className="grid gap-1">
        {turnsWithoutSpan.slice(0, 500).map((turn) => {
          const worst = worstOf(turn.marks.map((mark) => mark.state));
          return (
            <li key={turn.id} className="flex min-w-0 items-center gap-2">
              {worst === null ? null : <VerdictIcon state={shownState(worst)} />}
              <span className="shrink-0">{worst === null ? 'No verdict' : wordOf(worst)}</span>
              <Link
                href={`/p/${project}/turns/${encodeURIComponent(turn.id)}`}
                className="text-12 min-w-0 truncate font-mono underline"
              >
                <VisibleText text={turn.id} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Block>
  );
}
