import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load } from '@/app/_trpc/server';
import { type About, measureInput, viewParsers } from '../addresses';
import { VerifierView } from './verifier-view';

export const metadata: Metadata = { title: 'Calibration of a verifier' };

const readView = createLoader(viewParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function VerifierPage({ params, searchParams }: Props) {
  const [{ project }, { verifier, days, ...chosen }] = await Promise.all([
    params,
    readView(searchParams),
  ]);
  if (verifier === null) notFound();
  const about: About = { project, verifier, ...chosen };
  const initial = await load((caller) => caller.calibration.get(measureInput(about, days)));
  return <VerifierView first={about} firstDays={days} initial={initial} />;
}
