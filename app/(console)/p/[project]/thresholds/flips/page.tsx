import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load } from '@/app/_trpc/server';
import { thresholdParsers } from '../addresses';
import { FlipList } from './flip-list';
import { flipsInput } from './flips-input';

export const metadata: Metadata = { title: 'Verdicts that would flip' };

const readAddress = createLoader(thresholdParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function FlipsPage({ params, searchParams }: Props) {
  const [{ project }, address] = await Promise.all([params, readAddress(searchParams)]);
  const input = flipsInput(project, address);
  if (input === null) notFound();
  const first = await load((caller) => caller.thresholds.flips(input));
  return <FlipList project={project} address={address} input={input} first={first} />;
}
