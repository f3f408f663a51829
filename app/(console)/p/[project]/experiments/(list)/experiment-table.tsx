'use client';

import { useQueries } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { ExperimentPage, ExperimentRow, ExperimentSummary } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
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

interface Context extends Pick<ExperimentTableProps, 'project' | 'chosen' | 'onOpen'> {
  /** Without those that are loading. */
  readonly summaries: ReadonlyMap<string, ExperimentSummary>;
  readonly selected: readonly ExperimentRow[];
  readonly onToggle: (id: string) => void;
}

export const experimentColumns: readonly Column<ExperimentRow, Context>[] = [
  {
    id: 'selected',
    head: 'Select',
    width: 'w-18',
    variant: 'first',
    cell: (row, { chosen, selected, onToggle }) => {
      const canBeChosen = canChoose(row, selected);
      return (
        <input
          type="checkbox"
          aria-label={`Select ${plainText(row.name)}`}
          title={canBeChosen ? undefined : 'Experiments of one dataset are compared, up to 6'}
          checked={chosen.has(row.id)}
          disabled={!canBeChosen}
          onChange={() => onToggle(row.id)}
          className="relative z-1 block size-4"
        />
      );
    },
  },
  {
    id: 'experiment',
    head: 'Experiment',
    cell: (row, { project, onOpen }) => (
      <Link
        href={experimentHref(project, row.id)}
        data-row={row.id}
        prefetch={false}
        onClick={() => onOpen(row.id)}
        className="row-link [unicode-bidi:isolate]"
      >
        <VisibleText text={row.name} />
      </Link>
    ),
  },
  {
    id: 'state',
    head: 'State',
    width: 'w-28 @2xl:w-60',
    title: (row) => progressText(row.counts) ?? undefined,
    cell: (row) => <ExperimentMark state={row.state} detail={progressText(row.counts)} />,
  },
  {
    id: 'dataset',
    head: 'Dataset',
    width: 'w-40',
    from: 'hidden @5xl:table-cell',
    cell: (row, { project }) => (
      <Link
        href={datasetHref(project, row.datasetSlug, row.datasetVersion)}
        prefetch={false}
        className="text-12 relative z-1 font-mono underline"
      >
        {row.datasetSlug}@{row.datasetVersion}
      </Link>
    ),
  },
  {
    id: 'target',
    head: 'Target',
    width: 'w-56',
    from: 'hidden @min-[100rem]:table-cell',
    variant: 'quiet',
    title: (row) => plainText(targetText(row.target)),
    cell: (row) => <VisibleText text={targetText(row.target)} />,
  },
  {
    id: 'rates',
    head: 'Pass rate',
    width: 'w-60',
    from: 'hidden @3xl:table-cell',
    cell: (row, { summaries }) => <Rates summary={summaries.get(row.id)} />,
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'w-20',
    from: 'hidden @6xl:table-cell',
    variant: 'number',
    cell: (row, { summaries }) => {
      const summary = summaries.get(row.id);
      return summary === undefined ? '' : sumText(summary);
    },
  },
  {
    id: 'branch',
    head: 'Branch',
    width: 'w-28',
    from: 'hidden @7xl:table-cell',
    variant: 'code',
    title: (row) => plainText(row.branch ?? ''),
    cell: (row) => <VisibleText text={row.branch ?? ''} />,
  },
  {
    id: 'age',
    head: 'Age',
    width: 'w-14',
    variant: 'last',
    cell: (row) => <Age at={row.createdAt} />,
  },
];

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
  const context = {
    project,
    summaries,
    chosen,
    selected: selectedRuns(rows, chosen),
    onOpen,
    onToggle(id: string) {
      const next = new Set(chosen);
      if (!next.delete(id)) next.add(id);
      onChoose(next);
    },
  };
  return (
    <RowTable
      label="Experiments"
      name="experiments"
      columns={experimentColumns}
      context={context}
      rows={rows}
      idOf={idOf}
      end={end}
    />
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

/** A sum with an unknown price is a lower bound. */
const sumText = ({ costUsd, isPartial }: ExperimentSummary): string =>
  isPartial ? (costUsd === 0 ? 'unknown' : `≥ ${costText(costUsd)}`) : costText(costUsd);

function Rates({ summary }: { summary: ExperimentSummary | undefined }) {
  if (summary === undefined) return null;
  return (
    <span className="flex gap-3" title={ratesTitle(summary)}>
      {summary.passRates.map(({ verifier, passRate }) => (
        <span key={verifier} className="whitespace-nowrap">
          {shortRate(passRate)} <span className="text-12 text-ink-3">{verifier}</span>
        </span>
      ))}
    </span>
  );
}

function ratesTitle({ passRates }: ExperimentSummary): string {
  return passRates
    .map(({ verifier, passRate }) => {
      const { value, numerator, denominator } = passRate;
      const counts = value === null ? '' : ` (${numerator ?? 0}/${denominator})`;
      return `${verifier}: ${shortRate(passRate)}${counts}`;
    })
    .join('\n');
}
