import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { ProviderPanel } from './provider-panel';

export const metadata: Metadata = { title: 'Providers' };

interface Props {
  params: Promise<{ project: string }>;
}

export default async function ProvidersPage({ params }: Props) {
  const project = await loadProject((await params).project);
  const providers = await load((caller) => caller.providers.list({ project: project.slug }));
  return (
    <ProviderPanel
      project={project.slug}
      initial={providers}
      mayWrite={may(project, 'settings.write')}
    />
  );
}
