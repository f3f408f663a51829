import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { ItemView } from './item-view';

export const metadata: Metadata = { title: 'Dataset item' };

interface Props {
  params: Promise<{ project: string; slug: string; id: string }>;
}

export default async function DatasetItemPage({ params }: Props) {
  const { project, slug, id: sent } = await params;
  const id = decodeURIComponent(sent);
  const [row, dataset, history] = await Promise.all([
    loadProject(project),
    load((caller) => caller.datasets.get({ project, slug })),
    load((caller) => caller.datasets.item({ project, slug, id })),
  ]);
  return (
    <ItemView
      key={id}
      project={project}
      dataset={dataset}
      initial={history}
      mayWrite={may(row, 'labels.write')}
      mayTry={may(row, 'prompts.write')}
    />
  );
}
