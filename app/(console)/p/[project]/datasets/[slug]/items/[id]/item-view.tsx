'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Crumbs } from '@/app/(console)/crumbs';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { DatasetDetail, DatasetItem, DatasetItemHistory } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { buttonClass } from '@/app/_ui/button';
import { PageBody } from '@/app/_ui/page-head';
import { ErrorPanel, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { Facts, LongText } from '../../../../verdicts/[id]/block';
import { contentText, inputLine } from '../../../item-text';
import { HistoryPanel } from './history-panel';
import { ItemForm } from './item-form';
import { RemoveItem } from './remove-item';

interface ItemViewProps {
  project: string;
  dataset: DatasetDetail;
  initial: DatasetItemHistory;
  mayWrite: boolean;
  /** Whether the user may call models. */
  mayTry: boolean;
}

/** An item of a dataset: an editor for its content, and its earlier states. */
export function ItemView({ project, dataset, initial, mayWrite, mayTry }: ItemViewProps) {
  const { slug } = dataset;
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.datasets.item.queryOptions(
      { project, slug, id: initial.item.id },
      { initialData: initial },
    ),
  );
  useLive(project, () => undefined);
  const { item, earlier } = data;
  const base = `/p/${project}/datasets`;
  const isRemoved = item.toVersion !== null;
  return (
    <PageBody>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <Crumbs
            trail={[
              { name: 'Datasets', href: base, list: `${project}/datasets` },
              { name: dataset.name, href: `${base}/${slug}`, list: `${project}/datasets/${slug}` },
            ]}
            pageName="Item"
          />
          <h1 className="line-clamp-2 [overflow-wrap:anywhere]">
            <VisibleText text={inputLine(item.content)} />
          </h1>
        </div>
        <div className="flex flex-wrap gap-2">
          {mayTry ? (
            <Link
              href={`/p/${project}/playground?dataset=${slug}&item=${encodeURIComponent(item.id)}`}
              prefetch={false}
              className={buttonClass()}
            >
              Open in playground
            </Link>
          ) : null}
          {mayWrite && !isRemoved ? (
            <RemoveItem project={project} slug={slug} id={item.id} />
          ) : null}
        </div>
      </div>
      {error ? (
        <ErrorPanel
          what="The item could not be refreshed"
          works="The page shows the last loaded state."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_340px]">
        {mayWrite && !isRemoved ? (
          <ItemForm project={project} dataset={dataset} item={item} />
        ) : (
          <Panel title="Content">
            <div className="p-4">
              <LongText text={contentText(item.content)} mono />
            </div>
          </Panel>
        )}
        <Panel title="About">
          <div className="p-4">
            <ItemFacts project={project} item={item} />
          </div>
        </Panel>
      </div>
      <HistoryPanel states={[item, ...earlier]} />
    </PageBody>
  );
}

function ItemFacts({ project, item }: { project: string; item: DatasetItem }) {
  return (
    <Facts
      list={[
        [
          'Id',
          <code key="id" className="text-12 font-mono">
            <VisibleText text={item.id} />
          </code>,
        ],
        ...(item.toVersion === null
          ? []
          : [['State', `removed in version ${item.toVersion}`] as const]),
        ['Since version', String(item.fromVersion)],
        ['Split', item.split === null ? '–' : <VisibleText key="split" text={item.split} />],
        [
          'Tags',
          item.tags.length === 0 ? '–' : <VisibleText key="tags" text={item.tags.join(', ')} />,
        ],
        ...(item.turnId === null
          ? []
          : [
              [
                'Source',
                <Link
                  key="turn"
                  href={`/p/${project}/turns/${encodeURIComponent(item.turnId)}`}
                  className="underline"
                >
                  Turn
                </Link>,
              ] as const,
            ]),
      ]}
    />
  );
}
