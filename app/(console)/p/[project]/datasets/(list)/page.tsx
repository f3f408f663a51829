import type { Metadata } from 'next';
import { load, loadProject } from '@/app/_trpc/server';
import { DatasetList } from './dataset-list';

export const metadata: Metadata = { title: 'Datasets' };

export default async function DatasetsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project: slug } = await params;
  const [project, first] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.datasets.list({ project: slug, limit: 50 })),
  ]);
  return <DatasetList project={project} first={first} />;
}
