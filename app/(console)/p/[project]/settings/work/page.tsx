import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { WorkPanel } from './work-panel';

export const metadata: Metadata = { title: 'Backlog' };

export default async function WorkPage({ params }: { params: Promise<{ project: string }> }) {
  const project = await loadProject((await params).project);
  const waiting = await load((caller) => caller.work.waiting({ project: project.slug }));
  return (
    <WorkPanel project={project.slug} initial={waiting} mayReplay={may(project, 'work.replay')} />
  );
}
