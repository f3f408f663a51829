import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load } from '@/app/_trpc/server';
import { readDays, verifierParsers } from '../addresses';
import { VerifierView } from './verifier-view';

export const metadata: Metadata = { title: 'Calibration of a verifier' };

const readVerifier = createLoader(verifierParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function VerifierPage({ params, searchParams }: Props) {
  const [{ project }, { verifier, origin, judge }, { days: sent }] = await Promise.all([params, readVerifier(searchParams), searchParams]);
  if (verifier === null) notFound();
  const days = readDays(sent);
  const initial = await load((caller) => caller.calibration.get({ project, verifier, origin, days, ...(judge !== null && { judge }) }));
  return (
    <VerifierView key={`${origin} ${verifier} ${judge ?? ''}`} about={{ project, verifier, origin, judge }} days={days} initial={initial} />
  );
}
