import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load, loadProject } from '@/app/_trpc/server';
import { AlertsView } from './alerts-view';
import { filterParsers, historyInput } from './filters';

export const metadata: Metadata = { title: 'Alerts' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function AlertsPage({ params, searchParams }: Props) {
  const { project: slug } = await params;
  const filters = await readFilters(searchParams);
  const [project, board, first] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.alerts.board({ project: slug })),
    load((caller) => caller.alerts.history(historyInput(slug, filters))),
  ]);
  return <AlertsView project={project} initial={board} first={first} firstFilters={filters} />;
}
