import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load } from '@/app/_trpc/server';
import { filterParsers, listInput } from '../filters';
import { CallList } from './call-list';

export const metadata: Metadata = { title: 'Calls' };

const readFilters = createLoader(filterParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function CallsPage({ params, searchParams }: Props) {
  const { project } = await params;
  const filters = await readFilters(searchParams);
  const first = await load((caller) => caller.gateway.calls(listInput(project, filters)));
  return <CallList project={project} first={first} firstFilters={filters} />;
}
