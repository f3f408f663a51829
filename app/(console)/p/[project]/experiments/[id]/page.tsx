import type { Metadata } from 'next';
import { load, loadProject } from '@/app/_trpc/server';
import { ExperimentView } from './experiment-view';

export const metadata: Metadata = { title: 'Experiment' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function ExperimentPage({ params }: Props) {
  const { project: slug, id: sent } = await params;
  const id = decodeURIComponent(sent);
  const [project, experiment, verdicts] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.experiments.get({ project: slug, id })),
    load((caller) => caller.verdicts.list({ project: slug, experiment: id, limit: 50 })),
  ]);
  return <ExperimentView key={id} project={project} initial={experiment} verdicts={verdicts} />;
}
