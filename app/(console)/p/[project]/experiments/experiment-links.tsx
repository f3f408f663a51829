'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { ExperimentRow } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { Empty, Panel, Skeleton } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { ExperimentMark } from './experiment-state';
import {
  compareHref,
  datasetHref,
  experimentHref,
  progressText,
  promptHref,
  storedPromptOf,
} from './experiment-words';
import { TargetText } from './target-text';

const shownMax = 10;

/** The latest experiments on a dataset, on its page. */
export function DatasetExperiments({ project, slug }: { project: string; slug: string }) {
  const read = useQuery(
    useTRPC().experiments.list.queryOptions({ project, dataset: slug, limit: shownMax }),
  );
  return (
    <LinkPanel
      read={read}
      empty="No experiment has used this dataset yet."
      aside={
        <Link
          href={`/p/${project}/experiments?dataset=${slug}`}
          prefetch={false}
          className="underline"
        >
          All experiments of the dataset
        </Link>
      }
    >
      {(rows) => <LinkTable project={project} rows={rows} compared={null} />}
    </LinkPanel>
  );
}

interface PromptExperimentsProps {
  project: string;
  slug: string;
  /** The version in production. */
  production: number;
}

/** The latest experiments with any version of a prompt, compared with the version in production. */
export function PromptExperiments({ project, slug, production }: PromptExperimentsProps) {
  const trpc = useTRPC();
  const list = (prompt: string) =>
    trpc.experiments.list.queryOptions({ project, prompt, limit: shownMax });
  const read = useQuery(list(slug));
  const current = useQuery(list(`${slug}@${production}`));
  const baselines = current.data?.items ?? [];
  return (
    <LinkPanel read={read} empty="No experiment has used this prompt yet." aside={null}>
      {(rows) => (
        <LinkTable
          project={project}
          rows={rows}
          compared={
            new Map(
              rows.flatMap((row) => {
                if (row.target['prompt'] === `${slug}@${production}`) return [];
                const baseline = baselines.find((each) => each.datasetId === row.datasetId);
                return baseline === undefined ? [] : [[row.id, baseline.id] as const];
              }),
            )
          }
        />
      )}
    </LinkPanel>
  );
}

interface LinkPanelProps {
  read: {
    readonly data: { readonly items: readonly ExperimentRow[] } | undefined;
    readonly error: unknown;
  };
  empty: string;
  aside: React.ReactNode;
  children: (rows: readonly ExperimentRow[]) => React.ReactNode;
}

function LinkPanel({ read: { data, error }, empty, aside, children }: LinkPanelProps) {
  return (
    <Panel title="Experiments" aside={data === undefined || data.items.length === 0 ? null : aside}>
      {data !== undefined && data.items.length > 0 ? (
        children(data.items)
      ) : data !== undefined ? (
        <Empty title={empty} />
      ) : error ? (
        <div className="p-4">
          <FieldError text={problemOf(error).message} />
        </div>
      ) : (
        <Skeleton className="m-4 h-12" />
      )}
    </Panel>
  );
}

interface LinkTableProps {
  project: string;
  rows: readonly ExperimentRow[];
  /**
   * The baseline of each experiment that can be compared with production, on the page of a prompt.
   */
  compared: ReadonlyMap<string, string> | null;
}

function LinkTable({ project, rows, compared }: LinkTableProps) {
  return (
    <DataTable
      label="Experiments"
      heads={[
        'Experiment',
        compared === null ? 'Target' : 'Version',
        'State',
        'Dataset',
        'Age',
        ...(compared === null ? [] : ['']),
      ]}
    >
      {rows.map((row) => (
        <Row key={row.id}>
          <NameCell>
            <Link href={experimentHref(project, row.id)} prefetch={false} className="underline">
              <VisibleText text={row.name} />
            </Link>
          </NameCell>
          {compared === null ? (
            <td className="max-w-64 truncate px-4 whitespace-nowrap">
              <TargetText project={project} target={row.target} />
            </td>
          ) : (
            <Cell>
              <VersionLink project={project} target={row.target} />
            </Cell>
          )}
          <Cell>
            <ExperimentMark state={row.state} detail={progressText(row.counts)} />
          </Cell>
          <Cell mono>
            <Link
              href={datasetHref(project, row.datasetSlug, row.datasetVersion)}
              prefetch={false}
              className="underline"
            >
              {row.datasetSlug}@{row.datasetVersion}
            </Link>
          </Cell>
          <Cell>
            <Age at={row.createdAt} />
          </Cell>
          {compared === null ? null : (
            <Cell end>
              <CompareLink project={project} row={row} baseline={compared.get(row.id)} />
            </Cell>
          )}
        </Row>
      ))}
    </DataTable>
  );
}

function VersionLink({ project, target }: { project: string; target: ExperimentRow['target'] }) {
  const prompt = storedPromptOf(target);
  if (prompt === null) return null;
  return (
    <Link href={promptHref(project, prompt)} prefetch={false} className="underline">
      Version {prompt.version}
    </Link>
  );
}

function CompareLink({
  project,
  row,
  baseline,
}: {
  project: string;
  row: ExperimentRow;
  baseline: string | undefined;
}) {
  if (baseline === undefined) return null;
  return (
    <Link
      href={compareHref(project, [baseline, row.id])}
      prefetch={false}
      className="underline"
      aria-label={`Compare ${plainText(row.name)} with production`}
    >
      Compare
    </Link>
  );
}
