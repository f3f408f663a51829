import type { Metadata } from 'next';
import { load, loadProject } from '@/app/_trpc/server';
import { PromptList } from './prompt-list';

export const metadata: Metadata = { title: 'Prompts' };

export default async function PromptsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project: slug } = await params;
  const [project, prompts] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.prompts.list({ project: slug })),
  ]);
  return <PromptList project={project} initial={prompts} />;
}
