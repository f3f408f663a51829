import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load, loadProject } from '@/app/_trpc/server';
import { DatasetView } from './dataset-view';
import { filterParsers, itemsInput } from './filters';

export const metadata: Metadata = { title: 'Dataset' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string; slug: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function DatasetPage({ params, searchParams }: Props) {
  const { project: projectSlug, slug } = await params;
  const filters = await readFilters(searchParams);
  const [project, dataset] = await Promise.all([
    loadProject(projectSlug),
    load((caller) => caller.datasets.get({ project: projectSlug, slug })),
  ]);
  const version = filters.version ?? dataset.version;
  const first =
    dataset.version === 0
      ? { items: [], nextCursor: null, hidden: 0 }
      : await load((caller) =>
          caller.datasets.items(itemsInput({ project: projectSlug, slug, version }, filters)),
        );
  return (
    <DatasetView
      key={slug}
      project={project}
      initial={dataset}
      first={first}
      firstFilters={{ ...filters, version }}
    />
  );
}
