'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import { may } from '@/app/(console)/pages';
import { useTRPC } from '@/app/_trpc/client';
import type { DatasetDetail, DatasetDiffPage, Project } from '@/app/_trpc/outputs';
import { PageBody } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { AddItemsDialog } from '../add-items-dialog';
import { DatasetHead } from '../dataset-head';
import { diffParsers } from '../filters';
import { DiffPanel } from './diff-panel';
import { VersionTable } from './version-table';

interface VersionsViewProps {
  project: Project;
  initial: DatasetDetail;
  /** Null if there is no version. */
  first: DatasetDiffPage | null;
  firstPlace: { readonly from: number; readonly to: number };
}

/** The versions of a dataset, and the difference of two of them. */
export function VersionsView({ project, initial, first, firstPlace }: VersionsViewProps) {
  const trpc = useTRPC();
  const { slug } = initial;
  const [isAdding, setAdding] = useState(false);
  const { data: dataset, dataUpdatedAt } = useQuery(
    trpc.datasets.get.queryOptions({ project: project.slug, slug }, { initialData: initial }),
  );
  const [place, setPlace] = useQueryStates(diffParsers, { history: 'push' });
  const to = place.to ?? dataset.version;
  const from = place.from ?? Math.max(0, to - 1);
  return (
    <PageBody>
      <DatasetHead
        project={project}
        dataset={dataset}
        readAt={dataUpdatedAt}
        currentTab="versions"
        onAdd={may(project, 'labels.write') ? () => setAdding(true) : null}
      />
      {dataset.version === 0 ? (
        <Panel title="Versions">
          <Empty title="There is no version yet.">
            <p>Every change of the items creates a version. Versions never change.</p>
          </Empty>
        </Panel>
      ) : (
        <>
          <VersionTable
            versions={dataset.versions}
            latest={dataset.version}
            href={`/p/${project.slug}/datasets/${slug}`}
            onCompare={(version) => void setPlace({ from: version - 1, to: version })}
          />
          <DiffPanel
            project={project.slug}
            dataset={dataset}
            from={from}
            to={to}
            first={from === firstPlace.from && to === firstPlace.to ? first : null}
            onChange={(next) => void setPlace({ from, to, ...next })}
          />
        </>
      )}
      {isAdding ? (
        <AddItemsDialog project={project.slug} slug={slug} onClose={() => setAdding(false)} />
      ) : null}
    </PageBody>
  );
}
