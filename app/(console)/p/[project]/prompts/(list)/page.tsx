import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { PromptList } from './prompt-list';

export const metadata: Metadata = { title: 'Prompts' };

export default async function PromptsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  const prompts = await load((caller) => caller.prompts.list({ project }));
  return <PromptList project={project} initial={prompts} />;
}
