import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { PipelineView } from './pipeline-view';

export const metadata: Metadata = { title: 'Pipeline' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function PipelinePage({ params }: Props) {
  const { project, id: sent } = await params;
  const id = decodeURIComponent(sent);
  const pipeline = await load((caller) => caller.checkpoints.pipeline({ project, id }));
  return <PipelineView key={id} project={project} initial={pipeline} />;
}
