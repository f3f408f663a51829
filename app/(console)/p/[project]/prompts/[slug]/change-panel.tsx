'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FieldError } from '@/app/_ui/field';
import { Empty, Panel, Skeleton } from '@/app/_ui/panel';
import { diffLines } from './diff-lines';
import { DiffTable } from './diff-table';
import { textName } from './text-name';
import { VersionChoice } from './version-choice';

interface ChangePanelProps {
  project: string;
  prompt: PromptDetail;
  from: number;
  /** Null means the text in the editor. */
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
