import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { readDays } from '../addresses';
import { VerifierList } from './verifier-list';

export const metadata: Metadata = { title: 'Calibration' };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ days?: string | string[] }>;
}

export default async function CalibrationPage({ params, searchParams }: Props) {
  const [{ project }, { days: sent }] = await Promise.all([params, searchParams]);
  const days = readDays(sent);
  const initial = await load((caller) => caller.calibration.list({ project, days }));
  return <VerifierList project={project} days={days} initial={initial} />;
}
