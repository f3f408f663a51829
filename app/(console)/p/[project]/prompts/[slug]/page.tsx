import type { Metadata } from 'next';
import { createLoader, parseAsInteger, type SearchParams } from 'nuqs/server';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { PromptView } from './prompt-view';

export const metadata: Metadata = { title: 'Prompt' };

const readPlace = createLoader({ version: parseAsInteger });

interface Props {
  params: Promise<{ project: string; slug: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function PromptPage({ params, searchParams }: Props) {
  const { project: projectSlug, slug } = await params;
  const place = await readPlace(searchParams);
  const [project, prompt] = await Promise.all([
    loadProject(projectSlug),
    load((caller) => caller.prompts.get({ project: projectSlug, slug })),
  ]);
  const version = place.version ?? prompt.versions[0]?.version ?? 0;
  const body = await load((caller) => caller.prompts.body({ project: projectSlug, slug, version }));
  const mayWrite = may(project, 'prompts.write');
  return (
    <PromptView
      key={slug}
      project={projectSlug}
      initial={prompt}
      opened={{ version, body }}
      mayWrite={mayWrite}
    />
  );
}
