import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { ModelSettingsPanel } from './model-settings-panel';

export const metadata: Metadata = { title: 'Models' };

interface Props {
  params: Promise<{ project: string }>;
}

export default async function ModelSettingsPage({ params }: Props) {
  const project = await loadProject((await params).project);
  const settings = await load((caller) => caller.models.settings({ project: project.slug }));
  return (
    <ModelSettingsPanel
      project={project.slug}
      initial={settings}
      mayWrite={may(project, 'settings.write')}
    />
  );
}
