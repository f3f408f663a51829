import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { ModelList } from './model-list';

export const metadata: Metadata = { title: 'Models' };

export default async function ModelsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  const initial = await load((caller) => caller.models.list({ project }));
  return <ModelList project={project} initial={initial} />;
}
