import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { SessionView } from './session-view';

export const metadata: Metadata = { title: 'Gateway session' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function GatewaySessionPage({ params }: Props) {
  const { project, id: sent } = await params;
  const id = decodeURIComponent(sent);
  const [session, routes] = await Promise.all([
    load((caller) => caller.gateway.session({ project, id, limit: 30 })),
    load((caller) => caller.gateway.routes({ project })),
  ]);
  return <SessionView key={id} project={project} first={session} routes={routes} />;
}
