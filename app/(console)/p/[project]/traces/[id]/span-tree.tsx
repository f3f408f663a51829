'use client';

import { type RefObject, useState } from 'react';
import type { SpanRow, SpanTree as Tree, TurnMark } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { durationText } from '../amounts';
import { worstOf } from '../mark-styles';
import { shownState, wordOf } from '@/app/_ui/verdict-styles';
import { barClass, ErrorIcon, RoleIcon, roleWord } from '../span-styles';
import { hasChildren, rowsMax } from './visible-rows';

interface SpanTreeProps {
  tree: Tree;
  /** Indices of the rows that are not collapsed. */
  shown: readonly number[];
  folded: ReadonlySet<string>;
  selected: string | null;
  /** Marks of the spans' turns, by span. */
  marks: ReadonlyMap<string, readonly TurnMark[]>;
  area: RefObject<HTMLDivElement | null>;
  onSelect: (id: string) => void;
  onFold: (id: string, fold: boolean) => void;
}

/**
 * Spans as a tree with a bar for each on the trace's time axis. Lines after the first 500 are shown
 * on request.
 */
export function SpanTree({
  tree,
  shown,
  folded,
  selected,
  marks,
  area,
  onSelect,
  onFold,
}: SpanTreeProps) {
  const [limit, setLimit] = useState(rowsMax);
  const selectedAt = shown.findIndex((index) => tree.rows[index]?.id === selected);
  const end = Math.max(limit, selectedAt + 1);
  const hiddenCount = shown.length - end;
  // One row is in the tab order: the selected one, or the first.
  const stop = selectedAt === -1 ? 0 : selectedAt;
  return (
    <div ref={area} className="bg-surface border-line rounded-8 min-w-0 border">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a treegrid is what ARIA makes of a table of nested rows */}
      <table role="treegrid" aria-label="Spans" className="w-full table-fixed border-collapse">
        <thead className="text-12 text-ink-2">
          <tr className="border-line h-8 border-b">
            <th scope="col" className="pl-3">
              Span
            </th>
            <th scope="col" className="hidden w-24 px-2 sm:table-cell 2xl:w-36">
              Time
            </th>
            <th scope="col" className="w-20 pr-3 text-right">
              Duration
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, end).map((index, place) => {
            const row = tree.rows[index];
            return row === undefined ? null : (
              <SpanLine
                key={row.id}
                row={row}
                totalMs={tree.durationMs}
                state={
                  hasChildren(tree.rows, index) ? (folded.has(row.id) ? 'folded' : 'open') : 'leaf'
                }
                isSelected={row.id === selected}
                isStop={place === stop}
                marks={marks.get(row.id) ?? none}
                onSelect={onSelect}
                onFold={onFold}
              />
            );
          })}
        </tbody>
      </table>
      {hiddenCount > 0 ? (
        <div className="border-line flex items-center gap-3 border-t p-2">
          <Button onClick={() => setLimit(end + rowsMax)}>
            Show {Math.min(hiddenCount, rowsMax).toLocaleString('en')} more spans
          </Button>
          <span className="text-12 text-ink-3">
            {end.toLocaleString('en')} of {shown.length.toLocaleString('en')}
          </span>
        </div>
      ) : null}
    </div>
  );
}

const none: readonly TurnMark[] = [];

interface SpanLineProps {
  row: SpanRow;
  totalMs: number | null;
  state: 'leaf' | 'open' | 'folded';
  isSelected: boolean;
  isStop: boolean;
  marks: readonly TurnMark[];
  onSelect: (id: string) => void;
  onFold: (id: string, fold: boolean) => void;
}

function SpanLine({
  row,
  totalMs,
  state,
  isSelected,
  isStop,
  marks,
  onSelect,
  onFold,
}: SpanLineProps) {
  const worst = worstOf(marks.map((mark) => mark.state));
  return (
    // Rows of a treegrid handle the keys (use-span-keys.ts): the tree is one tab stop.
    <tr
      data-span={row.id}
      tabIndex={isStop ? 0 : -1}
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      {...(state !== 'leaf' && { 'aria-expanded': state === 'open' })}
      onClick={() => onSelect(row.id)}
      onFocus={(event) => {
        if (event.target === event.currentTarget && !isSelected) onSelect(row.id);
      }}
      className={`border-line h-8 cursor-pointer border-b last:border-0 focus-visible:-outline-offset-2 ${isSelected ? 'bg-accent-wash' : 'hover:bg-hover'}`}
    >
      <td className="truncate pl-3">
        {/* Deep nesting must not push the names out of the column. */}
        <span
          className="flex min-w-0 items-center gap-1.5"
          style={{ paddingLeft: `${Math.min(row.depth, 12) * 12}px` }}
        >
          <FoldMark state={state} onFold={(fold) => onFold(row.id, fold)} />
          <RoleIcon role={row.role} />
          <span className="min-w-0 truncate [unicode-bidi:isolate]" title={plainText(row.name)}>
            <VisibleText text={row.name === '' ? row.id : row.name} />
          </span>
          <span className="text-12 text-ink-3 shrink-0">{roleWord(row.role)}</span>
          {worst === null ? null : (
            <span className="text-12 flex shrink-0 items-center gap-1">
              <VerdictIcon state={shownState(worst)} size={12} />
              {wordOf(worst)}
            </span>
          )}
          {row.error ? (
            <span className="text-12 flex shrink-0 items-center gap-1">
              <ErrorIcon />
              error
            </span>
          ) : null}
        </span>
      </td>
      <td className="hidden px-2 sm:table-cell">
        <TimeBar row={row} totalMs={totalMs} />
      </td>
      <td className="text-12 text-ink-2 pr-3 text-right">
        {row.durationMs === null ? 'open' : durationText(row.durationMs)}
      </td>
    </tr>
  );
}

/** For the pointer; by keyboard, left and right collapse and expand. */
function FoldMark({
  state,
  onFold,
}: {
  state: SpanLineProps['state'];
  onFold: (fold: boolean) => void;
}) {
  if (state === 'leaf') return <span aria-hidden="true" className="w-4 shrink-0" />;
  return (
    <span
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onFold(state === 'open');
      }}
      className="text-ink-3 hover:text-ink flex h-6 w-4 shrink-0 items-center justify-center"
    >
      <svg
        width="10"
        height="10"
        viewBox="0 0 10 10"
        className={state === 'open' ? 'rotate-90' : ''}
      >
        <path d="M3 1.5 7 5 3 8.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
    </span>
  );
}

function TimeBar({ row, totalMs }: { row: SpanRow; totalMs: number | null }) {
  if (row.startMs === null || totalMs === null)
    return <span className="text-12 text-ink-3">no time</span>;
  const share = (ms: number) =>
    totalMs === 0 ? 0 : Math.min(100, Math.max(0, (ms / totalMs) * 100));
  return (
    <span
      className="bg-sunken relative block h-2 rounded-4"
      title={`starts at ${durationText(Math.max(0, row.startMs))}${row.durationMs === null ? ', no end' : `, takes ${durationText(row.durationMs)}`}`}
    >
      <span
        className={`absolute inset-y-0 min-w-0.5 rounded-4 ${barClass(row.role)}`}
        style={{
          left: `min(${share(row.startMs)}%, calc(100% - 2px))`,
          width: `${share(row.durationMs ?? 0)}%`,
        }}
      />
    </span>
  );
}
