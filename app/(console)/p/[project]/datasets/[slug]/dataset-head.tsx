'use client';

import Link from 'next/link';
import { useState } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { may } from '@/app/(console)/pages';
import { useLive } from '@/app/(console)/use-live';
import type { DatasetDetail, Project } from '@/app/_trpc/outputs';
import { Button, buttonClass } from '@/app/_ui/button';
import { Age } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { plural, splitCounts } from '../dataset-words';
import { DatasetDialog } from '../dataset-dialog';
import { CopyId } from '@/app/_ui/copy-id';
import { DeleteDataset } from './delete-dataset';

interface DatasetHeadProps {
  project: Project;
  dataset: DatasetDetail;
  /** When the data was loaded, in milliseconds. */
  readAt: number;
  currentTab: 'items' | 'versions';
  /** Null without the permission. */
  onAdd: (() => void) | null;
}

export function DatasetHead({ project, dataset, readAt, currentTab, onAdd }: DatasetHeadProps) {
  const live = useLive(project.slug, () => undefined);
  const base = `/p/${project.slug}`;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <Crumbs
            trail={[
              { name: 'Datasets', href: `${base}/datasets`, list: `${project.slug}/datasets` },
            ]}
            pageName={dataset.name}
          />
          <h1 className="[overflow-wrap:anywhere]">
            <VisibleText text={dataset.name} />
          </h1>
          {dataset.description === '' ? null : (
            <p className="text-ink-2 max-w-[80ch] whitespace-pre-line [overflow-wrap:anywhere]">
              <VisibleText text={dataset.description} />
            </p>
          )}
          <CopyId id={dataset.slug} noun="slug" />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <span className="max-md:order-last">
            <LiveMark state={live} readAt={readAt} />
          </span>
          <HeadButtons project={project} dataset={dataset} onAdd={onAdd} />
        </div>
      </div>
      <Counts dataset={dataset} />
      <Tabs
        href={`${base}/datasets/${dataset.slug}`}
        here={currentTab}
        versions={dataset.version}
      />
    </>
  );
}

function HeadButtons({ project, dataset, onAdd }: Omit<DatasetHeadProps, 'currentTab' | 'readAt'>) {
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      {may(project, 'settings.write') ? (
        <DeleteDataset project={project.slug} slug={dataset.slug} name={dataset.name} />
      ) : null}
      {onAdd === null ? null : (
        <>
          <Button onClick={() => setChanging(true)}>Change</Button>
          <Button onClick={onAdd}>Add items</Button>
        </>
      )}
      {onAdd !== null && dataset.items > 0 ? (
        <Link
          href={`/p/${project.slug}/experiments/new?dataset=${dataset.slug}`}
          prefetch={false}
          className={buttonClass('primary')}
        >
          Start experiment
        </Link>
      ) : null}
      {isChanging ? (
        <DatasetDialog
          project={project.slug}
          dataset={dataset}
          onDone={() => setChanging(false)}
          onClose={() => setChanging(false)}
        />
      ) : null}
    </>
  );
}

function Counts({ dataset }: { dataset: DatasetDetail }) {
  const latest = dataset.versions[0];
  if (latest === undefined) return <p className="text-ink-3">No version yet.</p>;
  return (
    <p className="text-ink-2 flex flex-wrap gap-x-4 gap-y-1">
      <span>
        <strong className="text-ink font-semibold">{plural(dataset.items, 'item')}</strong> in
        version {dataset.version}
      </span>
      {splitCounts(dataset).map(([name, count]) => (
        <span key={name ?? ''} className="[overflow-wrap:anywhere]">
          {name === null ? 'no split' : <VisibleText text={name} />} {count.toLocaleString('en')}
        </span>
      ))}
      {dataset.duplicates > 0 ? (
        <span title="Items whose input, context and tools equal those of another item">
          {plural(dataset.duplicates, 'duplicate')}
        </span>
      ) : null}
      <span className="text-ink-3 [overflow-wrap:anywhere]">
        changed <Age at={latest.createdAt} /> ago by <VisibleText text={latest.createdBy} />
      </span>
    </p>
  );
}

function Tabs({
  href,
  here,
  versions,
}: {
  href: string;
  here: DatasetHeadProps['currentTab'];
  versions: number;
}) {
  const tabs = [
    ['items', 'Items', href],
    ['versions', `Versions (${versions.toLocaleString('en')})`, `${href}/versions`],
  ] as const;
  return (
    <nav aria-label="Dataset" className="border-line flex gap-1 overflow-x-auto border-b">
      {tabs.map(([key, name, to]) => (
        <Link
          key={key}
          href={to}
          prefetch={false}
          aria-current={key === here ? 'page' : undefined}
          className={`flex h-9 shrink-0 items-center border-b-2 px-2 focus-visible:outline-offset-[-2px] ${key === here ? 'border-accent font-semibold' : 'text-ink-2 hover:text-ink border-transparent'}`}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
