import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { JudgingPanel } from './judging-panel';

export const metadata: Metadata = { title: 'Judging' };

export default async function JudgingPage({ params }: { params: Promise<{ project: string }> }) {
  const project = await loadProject((await params).project);
  const judging = await load((caller) => caller.verifiers.judging({ project: project.slug }));
  return (
    <JudgingPanel project={project} initial={judging} mayWrite={may(project, 'settings.write')} />
  );
}
