import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load, loadProject } from '@/app/_trpc/server';
import { periodParsers } from '../filters';
import { FirstCall } from './first-call';
import { GatewayView } from './gateway-view';

export const metadata: Metadata = { title: 'Gateway' };

const readPeriod = createLoader(periodParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function GatewayPage({ params, searchParams }: Props) {
  const { project } = await params;
  const { days } = await readPeriod(searchParams);
  const [row, summary, steering, routes, sessions] = await Promise.all([
    loadProject(project),
    load((caller) => caller.gateway.summary({ project, days })),
    load((caller) => caller.gateway.steering({ project, days })),
    load((caller) => caller.gateway.routes({ project })),
    load((caller) => caller.gateway.sessions({ project, limit: 20 })),
  ]);
  if (!summary.hasCalls) return <FirstCall project={row} routes={routes} />;
  return (
    <GatewayView project={row} firstDays={days} first={{ summary, steering, routes, sessions }} />
  );
}
