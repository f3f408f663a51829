import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { loadProject } from '@/app/_trpc/server';
import { IntegrityPanel } from './integrity-panel';

export const metadata: Metadata = { title: 'Integrity' };

export default async function IntegrityPage({ params }: { params: Promise<{ project: string }> }) {
  const project = await loadProject((await params).project);
  return <IntegrityPanel project={project} mayWrite={may(project, 'settings.write')} />;
}
