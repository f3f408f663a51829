'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FieldError } from '@/app/_ui/field';
import { Empty, Panel, Skeleton } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { type DiffLine, type DiffRow, diffLines, foldSame } from './diff-lines';
import { textName } from './text-name';
import { VersionChoice } from './version-choice';

interface ChangePanelProps {
  project: string;
  prompt: PromptDetail;
  from: number;
  /** Null: the text in the editor. */
  to: number | null;
  draft: string;
  onChange: (change: { from?: number; to?: number | null }) => void;
}

/** The difference between two texts. */
export function ChangePanel({ project, prompt, from, to, draft, onChange }: ChangePanelProps) {
  const before = useBody(project, prompt.slug, from);
  const after = useBody(project, prompt.slug, to);
  const [a, b] = [before.body, to === null ? draft : after.body];
  const lines = useMemo(() => (a === null || b === null ? null : diffLines(a, b)), [a, b]);
  const problem = before.error ?? after.error;
  return (
    <Panel
      title="Changes"
      aside={
        <span className="flex flex-wrap items-center gap-2">
          <VersionChoice
            name="From"
            prompt={prompt}
            value={from}
            onChange={(version) => onChange({ from: version ?? 0 })}
          />
          <VersionChoice
            name="To"
            prompt={prompt}
            value={to}
            withEditor
            onChange={(version) => onChange({ to: version })}
          />
        </span>
      }
    >
      {problem ? (
        <div className="p-4">
          <FieldError text={problemOf(problem).message} />
        </div>
      ) : lines === null ? (
        <Skeleton className="m-4 h-24" />
      ) : lines.every(({ state }) => state === 'same') ? (
        <Empty title="The two texts are the same." />
      ) : (
        <DiffTable lines={lines} label={`Changes from ${textName(from)} to ${textName(to)}`} />
      )}
    </Panel>
  );
}

/** A version never changes: it is loaded once. */
function useBody(
  project: string,
  slug: string,
  version: number | null,
): { body: string | null; error: unknown } {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.prompts.body.queryOptions(
      { project, slug, version: version ?? 0 },
      { enabled: version !== null, staleTime: Infinity },
    ),
  );
  return { body: data ?? null, error: version === null ? null : error };
}

const changeStyles = {
  same: { sign: '', word: '', row: '', changed: '' },
  removed: {
    sign: '−',
    word: 'Removed',
    row: 'bg-sunken text-ink-2',
    changed: 'line-through decoration-2',
  },
  added: {
    sign: '+',
    word: 'Added',
    row: 'bg-accent-wash',
    changed: 'underline decoration-2 underline-offset-2 font-semibold',
  },
} as const;

function DiffTable({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const count = (state: DiffLine['state']) => lines.filter((line) => line.state === state).length;
  const rows = foldSame(lines);
  return (
    <>
      <p className="text-ink-2 px-4 pt-2" role="status">
        {plural(count('added'), 'line')} added, {plural(count('removed'), 'line')} removed.
      </p>
      <div className="overflow-x-auto py-2">
        <table aria-label={label} className="text-12 w-full border-collapse font-mono">
          <thead className="sr-only">
            <tr>
              {['Line before', 'Line after', 'Change', 'Text'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <DiffTableRow key={index} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function DiffTableRow({ row }: { row: DiffRow }) {
  if (row.state === 'fold') {
    return (
      <tr>
        <td colSpan={4} className="text-ink-3 px-4 py-1 font-sans">
          {plural(row.count, 'line')} unchanged
        </td>
      </tr>
    );
  }
  const { sign, word, row: rowClass, changed } = changeStyles[row.state];
  return (
    <tr className={rowClass}>
      <td className="text-ink-3 w-10 pl-4 text-right align-top">{row.before}</td>
      <td className="text-ink-3 w-10 pl-2 text-right align-top">{row.after}</td>
      <td className="w-8 px-2 text-center align-top font-semibold">
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{word}</span>
      </td>
      <td className="pr-4 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]">
        {row.pieces.map((piece, index) => (
          <span key={index} className={piece.changed ? changed : undefined}>
            <VisibleText text={piece.text} />
          </span>
        ))}
      </td>
    </tr>
  );
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
