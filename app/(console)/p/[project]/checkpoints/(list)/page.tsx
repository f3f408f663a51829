import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load, loadProject } from '@/app/_trpc/server';
import { filterParsers, listInput } from '../filters';
import { CheckpointsView } from './checkpoints-view';

export const metadata: Metadata = { title: 'Checkpoints' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function CheckpointsPage({ params, searchParams }: Props) {
  const { project } = await params;
  const { days, ...filters } = await readFilters(searchParams);
  const [row, summary, first] = await Promise.all([
    loadProject(project),
    load((caller) => caller.checkpoints.summary({ project, days })),
    load((caller) => caller.checkpoints.pipelines(listInput(project, filters))),
  ]);
  return (
    <CheckpointsView
      project={row}
      initial={summary}
      firstDays={days}
      first={first}
      firstFilters={filters}
    />
  );
}
