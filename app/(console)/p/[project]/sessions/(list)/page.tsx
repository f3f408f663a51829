import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load } from '@/app/_trpc/server';
import { filterParsers, listInput } from '../filters';
import { SessionList } from './session-list';

export const metadata: Metadata = { title: 'Sessions' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function SessionsPage({ params, searchParams }: Props) {
  const { project } = await params;
  const filters = await readFilters(searchParams);
  const first = await load((caller) =>
    caller.sessions.list({ ...listInput(project, filters), limit: 50 }),
  );
  return <SessionList project={project} first={first} firstFilters={filters} />;
}
