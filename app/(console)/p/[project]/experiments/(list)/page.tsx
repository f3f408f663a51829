import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load, loadProject } from '@/app/_trpc/server';
import { filterParsers, listInput } from '../filters';
import { ExperimentList } from './experiment-list';

export const metadata: Metadata = { title: 'Experiments' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function ExperimentsPage({ params, searchParams }: Props) {
  const { project: slug } = await params;
  const filters = await readFilters(searchParams);
  const [project, first, datasets] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.experiments.list(listInput(slug, filters))),
    load((caller) => caller.datasets.list({ project: slug, limit: 200 })),
  ]);
  return (
    <ExperimentList
      project={project}
      first={first}
      firstFilters={filters}
      datasets={datasets.items.map((dataset) => dataset.slug)}
    />
  );
}
