import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { filterParsers, listInput } from '../filters';
import { VerdictList } from './verdict-list';

export const metadata: Metadata = { title: 'Verdicts' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function VerdictsPage({ params, searchParams }: Props) {
  const { project } = await params;
  const filters = await readFilters(searchParams);
  const [row, first] = await Promise.all([
    loadProject(project),
    load((caller) => caller.verdicts.list({ ...listInput(project, filters), limit: 50 })),
  ]);
  return (
    <VerdictList
      project={project}
      first={first}
      firstFilters={filters}
      mayAdd={may(row, 'labels.write')}
    />
  );
}
