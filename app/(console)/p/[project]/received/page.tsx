import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load } from '@/app/_trpc/server';
import { filterParsers, listInput } from './filters';
import { ReceivedList } from './received-list';

export const metadata: Metadata = { title: 'Received' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function ReceivedPage({ params, searchParams }: Props) {
  const { project } = await params;
  const filters = await readFilters(searchParams);
  const first = await load((caller) =>
    caller.turns.received({ ...listInput(project, filters), limit: 50 }),
  );
  return <ReceivedList project={project} first={first} firstFilters={filters} />;
}
