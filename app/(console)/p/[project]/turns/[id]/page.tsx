import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { TurnView } from './turn-view';

export const metadata: Metadata = { title: 'Turn' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function TurnDetailPage({ params }: Props) {
  const { project, id } = await params;
  const page = await load((caller) => caller.turns.get({ project, id: decodeURIComponent(id) }));
  return <TurnView key={page.turn.id} project={project} page={page} />;
}
