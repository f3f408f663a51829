import type { Metadata } from 'next';
import { NoPermission } from '@/app/(console)/no-permission';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { KeyPanel } from './key-panel';

export const metadata: Metadata = { title: 'Keys' };

interface Props {
  params: Promise<{ project: string }>;
}

export default async function KeysPage({ params }: Props) {
  const project = await loadProject((await params).project);
  if (!may(project, 'keys.read')) return <NoPermission title="Keys" role={project.role} />;
  const keys = await load((caller) => caller.keys.list({ project: project.slug }));
  return <KeyPanel project={project.slug} initial={keys} mayWrite={may(project, 'keys.write')} />;
}
