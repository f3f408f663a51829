import type { Metadata } from 'next';
import { deleteButtonFor } from '../../delete-button-for';
import { load } from '@/app/_trpc/server';
import { SessionView } from './session-view';

export const metadata: Metadata = { title: 'Session' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function SessionDetailPage({ params }: Props) {
  const { project, id: sent } = await params;
  const id = decodeURIComponent(sent);
  const [session, first, verdicts] = await Promise.all([
    load((caller) => caller.sessions.get({ project, id })),
    load((caller) => caller.sessions.turns({ project, session: id, limit: 20 })),
    load((caller) => caller.verdicts.list({ project, session: id, limit: 200 })),
  ]);
  const deletion = await deleteButtonFor(project, 'session', id);
  return (
    <SessionView
      key={id}
      project={project}
      session={session}
      first={first}
      verdicts={verdicts}
      deletion={deletion}
    />
  );
}
