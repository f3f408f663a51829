import Link from 'next/link';
import { useMemo, useState } from 'react';
import type { ComparedItem, ComparedRun } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { VerdictMark } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { Outcome } from '@/server/domain';
import { diffLines } from '../../prompts/[slug]/diff-lines';
import { DiffTable } from '../../prompts/[slug]/diff-table';

type Cell = ComparedItem['runs'][number];

const changeStyles = {
  regressed: { word: 'Regressed', path: 'M8 3v9.4m-4-4 4 4 4-4' },
  improved: { word: 'Improved', path: 'M8 13V3.6m-4 4 4-4 4 4' },
  same: { word: 'Same', path: 'M3 6h10M3 10h10' },
  unpaired: { word: 'Unpaired', path: 'M3.5 8h3m3 0h3' },
} as const satisfies Record<ComparedItem['change'], object>;

/** One item with one verifier: the outputs of all runs side by side. */
export function ItemCard({
  project,
  item,
  runs,
}: {
  project: string;
  item: ComparedItem;
  runs: readonly ComparedRun[];
}) {
  const title = item.input === null || item.input.trim() === '' ? 'Item without input' : item.input;
  return (
    <li
      aria-label={`${changeStyles[item.change].word}: ${plainText(title).slice(0, 120)}`}
      className="border-line grid gap-2 border-b p-4 last:border-0"
    >
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <ChangeMark change={item.change} />
        <p className="line-clamp-2 min-w-0 flex-1 basis-64 font-semibold [overflow-wrap:anywhere]">
          <VisibleText text={title} />
        </p>
        <code className="text-12 text-ink-3 font-mono">{item.verifier}</code>
      </div>
      <div className="grid gap-3 md:grid-cols-[repeat(auto-fit,minmax(280px,1fr))]">
        {runs.map((run, place) => (
          <RunOutputs
            key={run.id}
            project={project}
            run={run}
            isBaseline={place === 0}
            cells={item.runs.filter(({ experiment }) => experiment === run.id)}
          />
        ))}
      </div>
      <OutputDiffs item={item} runs={runs} />
    </li>
  );
}

function ChangeMark({ change }: { change: ComparedItem['change'] }) {
  const { word, path } = changeStyles[change];
  return (
    <span className="inline-flex w-28 shrink-0 items-center gap-2">
      <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true" className="text-ink-2">
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {word}
    </span>
  );
}

function RunOutputs({
  project,
  run,
  isBaseline,
  cells,
}: {
  project: string;
  run: ComparedRun;
  isBaseline: boolean;
  cells: readonly Cell[];
}) {
  return (
    <div
      role="group"
      aria-label={plainText(run.name)}
      className="border-line rounded-4 grid min-w-0 content-start border"
    >
      <h3 className="text-12 border-line text-ink-2 truncate border-b px-3 py-1.5 font-normal">
        <VisibleText text={run.name} />
        {isBaseline ? <span className="text-ink-3"> baseline</span> : null}
      </h3>
      {cells.length === 0 ? (
        <p className="text-ink-3 px-3 py-2">The run does not have the item.</p>
      ) : null}
      {cells.map((cell) => (
        <OutputCell
          key={cell.repetition}
          project={project}
          cell={cell}
          isRepeated={cells.length > 1}
        />
      ))}
    </div>
  );
}

function OutputCell({
  project,
  cell: { outcome, score, turnId, verificationId, output, repetition },
  isRepeated,
}: {
  project: string;
  cell: Cell;
  isRepeated: boolean;
}) {
  const known = Outcome.safeParse(outcome);
  return (
    <div className="border-line grid gap-1.5 border-b px-3 py-2 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3">
        {known.success ? (
          <VerdictMark state={known.data} />
        ) : (
          <VerdictMark state="pending" word="No verdict" />
        )}
        {score === null ? null : <span className="text-ink-2">score {score.toFixed(2)}</span>}
        {isRepeated ? <span className="text-12 text-ink-3">repetition {repetition}</span> : null}
        <span className="text-12 ml-auto flex gap-3">
          {verificationId === null ? null : (
            <Link
              href={`/p/${project}/verdicts/${encodeURIComponent(verificationId)}`}
              data-row={verificationId}
              prefetch={false}
              className="underline"
            >
              Verdict
            </Link>
          )}
          {turnId === null ? null : (
            <Link
              href={`/p/${project}/turns/${encodeURIComponent(turnId)}`}
              prefetch={false}
              className="underline"
            >
              Turn
            </Link>
          )}
        </span>
      </div>
      {output === null ? (
        <p className="text-ink-3">No output.</p>
      ) : (
        <p
          // Scrolls, so the keyboard must reach it; a region each would crowd the landmarks.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- reached to be scrolled
          tabIndex={0}
          role="group"
          aria-label="Output"
          className="max-h-48 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]"
        >
          <VisibleText text={output} />
        </p>
      )}
    </div>
  );
}

/** The text difference of each run's first output from the baseline's. */
function OutputDiffs({ item, runs }: { item: ComparedItem; runs: readonly ComparedRun[] }) {
  const [isOpen, setOpen] = useState(false);
  const [baseline, ...others] = runs.map(({ id, name }) => ({
    name,
    output: item.runs.find(({ experiment }) => experiment === id)?.output ?? null,
  }));
  const before = baseline?.output ?? null;
  const changed = others.flatMap(({ name, output }) =>
    before === null || output === null || output === before ? [] : [{ name, output }],
  );
  if (before === null || changed.length === 0) return null;
  return (
    <div className="grid min-w-0 gap-2">
      <div>
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide text changes' : 'Show text changes'}
        </Button>
      </div>
      {isOpen
        ? changed.map(({ name, output }) => (
            <OutputDiff key={name} before={before} after={output} name={name} />
          ))
        : null}
    </div>
  );
}

function OutputDiff({ before, after, name }: { before: string; after: string; name: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return (
    <div className="border-line rounded-4 min-w-0 border">
      <DiffTable lines={lines} label={`Changes from the baseline to ${plainText(name)}`} />
    </div>
  );
}
