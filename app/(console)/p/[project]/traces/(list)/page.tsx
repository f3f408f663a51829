import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load, loadProject } from '@/app/_trpc/server';
import { filterParsers, listInput } from '../filters';
import { TraceList } from './trace-list';

export const metadata: Metadata = { title: 'Traces' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function TracesPage({ params, searchParams }: Props) {
  const { project } = await params;
  const filters = await readFilters(searchParams);
  const [row, first] = await Promise.all([
    loadProject(project),
    load((caller) => caller.traces.list({ ...listInput(project, filters), limit: 50 })),
  ]);
  return <TraceList project={row} first={first} firstFilters={filters} />;
}
