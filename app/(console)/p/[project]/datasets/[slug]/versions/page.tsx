import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { load, loadProject } from '@/app/_trpc/server';
import { diffParsers } from '../filters';
import { VersionsView } from './versions-view';

export const metadata: Metadata = { title: 'Dataset versions' };

const readPlace = createLoader(diffParsers);

interface Props {
  params: Promise<{ project: string; slug: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function DatasetVersionsPage({ params, searchParams }: Props) {
  const { project: projectSlug, slug } = await params;
  const place = await readPlace(searchParams);
  const [project, dataset] = await Promise.all([
    loadProject(projectSlug),
    load((caller) => caller.datasets.get({ project: projectSlug, slug })),
  ]);
  const to = place.to ?? dataset.version;
  const from = place.from ?? Math.max(0, to - 1);
  const first =
    dataset.version === 0
      ? null
      : await load((caller) =>
          caller.datasets.diff({ project: projectSlug, slug, from, to, limit: 20 }),
        );
  return (
    <VersionsView
      key={slug}
      project={project}
      initial={dataset}
      first={first}
      firstPlace={{ from, to }}
    />
  );
}
