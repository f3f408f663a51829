'use client';

import { useQueries } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { ExperimentPage, ExperimentRow, ExperimentSummary } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import {
  datasetHref,
  experimentHref,
  progressText,
  shortRate,
  targetText,
} from '../experiment-words';
import { ExperimentMark } from '../experiment-state';
import { canChoose, selectedRuns } from './selection';

interface ExperimentTableProps {
  project: string;
  pages: readonly ExperimentPage[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onOpen: (id: string) => void;
  end: ListEnd;
}

const idOf = (row: ExperimentRow): string => row.id;

/** Rates and costs are loaded after the rows, page by page. */
export function ExperimentTable({
  project,
  pages,
  chosen,
  onChoose,
  onOpen,
  end,
}: ExperimentTableProps) {
  const rows = pages.flatMap((page) => page.items);
  const summaries = useSummaries(project, pages);
  const selected = selectedRuns(rows, chosen);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <div className="@container">
      <table
        aria-label="Experiments"
        aria-rowcount={rowCount(rows.length, end)}
        className="w-full table-fixed border-collapse"
      >
        <thead className="text-12 text-ink-2">
          <tr className="border-line h-8 border-b">
            <th scope="col" className="w-10 pl-4">
              <span className="sr-only">Selected</span>
            </th>
            <th scope="col" className="px-2">
              Experiment
            </th>
            <th scope="col" className="w-28 px-2 @2xl:w-60">
              State
            </th>
            <th scope="col" className="hidden w-40 px-2 @5xl:table-cell">
              Dataset
            </th>
            <th scope="col" className="hidden w-56 px-2 @min-[100rem]:table-cell">
              Target
            </th>
            <th scope="col" className="hidden w-60 px-2 @3xl:table-cell">
              Pass rate
            </th>
            <th scope="col" className="hidden w-20 px-2 text-right @6xl:table-cell">
              Cost
            </th>
            <th scope="col" className="hidden w-28 px-2 @7xl:table-cell">
              Branch
            </th>
            <th scope="col" className="w-14 pr-4 text-right">
              Age
            </th>
          </tr>
        </thead>
        <RowWindow rows={rows} idOf={idOf} end={end}>
          {(row, place) => (
            <ExperimentLine
              project={project}
              row={row}
              place={place}
              summary={summaries.get(row.id)}
              isChosen={chosen.has(row.id)}
              canBeChosen={canChoose(row, selected)}
              onToggle={() => toggle(row.id)}
              onOpen={() => onOpen(row.id)}
            />
          )}
        </RowWindow>
      </table>
    </div>
  );
}

function useSummaries(
  project: string,
  pages: readonly ExperimentPage[],
): ReadonlyMap<string, ExperimentSummary> {
  const trpc = useTRPC();
  const answers = useQueries({
    queries: pages
      .filter(({ items }) => items.length > 0)
      .map(({ items }) =>
        trpc.experiments.summaries.queryOptions({ project, ids: items.map(({ id }) => id) }),
      ),
  });
  return new Map(answers.flatMap(({ data }) => data ?? []).map((each) => [each.id, each]));
}

interface LineProps {
  project: string;
  row: ExperimentRow;
  place: number | undefined;
  /** Undefined while it is loading. */
  summary: ExperimentSummary | undefined;
  isChosen: boolean;
  canBeChosen: boolean;
  onToggle: () => void;
  onOpen: () => void;
}

function ExperimentLine({
  project,
  row,
  place,
  summary,
  isChosen,
  canBeChosen,
  onToggle,
  onOpen,
}: LineProps) {
  const target = targetText(row.target);
  return (
    <tr
      aria-rowindex={place}
      className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
    >
      <td className="pl-4">
        <input
          type="checkbox"
          aria-label={`Select ${plainText(row.name)}`}
          title={canBeChosen ? undefined : 'Experiments of one dataset are compared, up to 6'}
          checked={isChosen}
          disabled={!canBeChosen}
          onChange={onToggle}
          className="relative z-1 block size-4"
        />
      </td>
      <td className="truncate px-2">
        <Link
          href={experimentHref(project, row.id)}
          data-row={row.id}
          prefetch={false}
          onClick={onOpen}
          className="row-link [unicode-bidi:isolate]"
        >
          <VisibleText text={row.name} />
        </Link>
      </td>
      <td className="truncate px-2" title={progressText(row.counts) ?? undefined}>
        <ExperimentMark state={row.state} detail={progressText(row.counts)} />
      </td>
      <td className="hidden truncate px-2 @5xl:table-cell">
        <Link
          href={datasetHref(project, row.datasetSlug, row.datasetVersion)}
          prefetch={false}
          className="text-12 relative z-1 font-mono underline"
        >
          {row.datasetSlug}@{row.datasetVersion}
        </Link>
      </td>
      <td
        className="text-ink-2 hidden truncate px-2 @min-[100rem]:table-cell"
        title={plainText(target)}
      >
        <VisibleText text={target} />
      </td>
      <td className="hidden truncate px-2 @3xl:table-cell" title={ratesTitle(summary)}>
        <Rates summary={summary} />
      </td>
      <td className="text-ink-2 hidden px-2 text-right @6xl:table-cell">
        {summary === undefined ? '' : sumText(summary)}
      </td>
      <td
        className="text-12 text-ink-2 hidden truncate px-2 font-mono @7xl:table-cell"
        title={plainText(row.branch ?? '')}
      >
        <VisibleText text={row.branch ?? ''} />
      </td>
      <td className="text-ink-3 pr-4 text-right whitespace-nowrap">
        <Age at={row.createdAt} />
      </td>
    </tr>
  );
}

/** A sum with an unknown price is a lower bound. */
const sumText = ({ costUsd, isPartial }: ExperimentSummary): string =>
  isPartial ? (costUsd === 0 ? 'unknown' : `≥ ${costText(costUsd)}`) : costText(costUsd);

function Rates({ summary }: { summary: ExperimentSummary | undefined }) {
  if (summary === undefined) return null;
  return (
    <span className="flex gap-3">
      {summary.passRates.map(({ verifier, passRate }) => (
        <span key={verifier} className="whitespace-nowrap">
          {shortRate(passRate)} <span className="text-12 text-ink-3">{verifier}</span>
        </span>
      ))}
    </span>
  );
}

function ratesTitle(summary: ExperimentSummary | undefined): string | undefined {
  return summary?.passRates
    .map(({ verifier, passRate }) => {
      const { value, numerator, denominator } = passRate;
      const counts = value === null ? '' : ` (${numerator ?? 0}/${denominator})`;
      return `${verifier}: ${shortRate(passRate)}${counts}`;
    })
    .join('\n');
}
