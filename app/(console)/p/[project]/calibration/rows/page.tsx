import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load } from '@/app/_trpc/server';
import { rowParsers, rowsInput } from '../addresses';
import { JudgementList } from './judgement-list';

export const metadata: Metadata = { title: 'Rows of a measure' };

const readFilters = createLoader(rowParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function RowsPage({ params, searchParams }: Props) {
  const [{ project }, filters] = await Promise.all([params, readFilters(searchParams)]);
  const { verifier } = filters;
  if (verifier === null) notFound();
  const first = await load((caller) => caller.calibration.rows(rowsInput(project, filters)));
  return (
    <JudgementList project={project} verifier={verifier} first={first} firstFilters={filters} />
  );
}
