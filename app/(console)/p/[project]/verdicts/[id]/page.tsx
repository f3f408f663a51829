import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { VerdictView } from './verdict-view';

export const metadata: Metadata = { title: 'Verdict' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function VerdictDetailPage({ params }: Props) {
  const { project, id } = await params;
  const verdict = await load((caller) => caller.verdicts.get({ project, id: decodeURIComponent(id) }));
  const mayRule = may(await loadProject(project), 'labels.write');
  return <VerdictView key={verdict.id} project={project} verdict={verdict} mayRule={mayRule} />;
}
