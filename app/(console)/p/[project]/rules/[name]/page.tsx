import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load } from '@/app/_trpc/server';
import { DecisionPanel } from './decision-panel';
import { listInput, stateParsers } from './filters';

export const metadata: Metadata = { title: 'Decisions' };

const readFilters = createLoader(stateParsers);

interface Props {
  params: Promise<{ project: string; name: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function RulePage({ params, searchParams }: Props) {
  const { project, name } = await params;
  const { state } = await readFilters(searchParams);
  const [rule, first] = await Promise.all([
    load((caller) => caller.rules.get({ project, name })),
    load((caller) => caller.decisions.list(listInput(project, name, state))),
  ]);
  return <DecisionPanel project={project} rule={rule} first={first} firstState={state} />;
}
