import type { Metadata } from 'next';
import { deleteButtonFor } from '../../delete-button-for';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { TurnView } from './turn-view';

export const metadata: Metadata = { title: 'Turn' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function TurnDetailPage({ params }: Props) {
  const { project, id } = await params;
  const page = await load((caller) => caller.turns.get({ project, id: decodeURIComponent(id) }));
  const deletion =
    page.origin === 'otlp' && page.turn.traceId !== null
      ? await deleteButtonFor(project, 'trace', page.turn.traceId)
      : await deleteButtonFor(project, 'turn', page.turn.id);
  const allowed = await loadProject(project);
  return (
    <TurnView
      key={page.turn.id}
      project={project}
      page={page}
      deletion={deletion}
      mayAdd={may(allowed, 'labels.write')}
      mayTry={may(allowed, 'prompts.write')}
    />
  );
}
