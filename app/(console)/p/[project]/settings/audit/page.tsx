import type { Metadata } from 'next';
import { NoPermission } from '@/app/(console)/no-permission';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { AuditTable } from './audit-table';

export const metadata: Metadata = { title: 'Audit' };

export default async function AuditPage({ params }: { params: Promise<{ project: string }> }) {
  const project = await loadProject((await params).project);
  if (!may(project, 'audit.read')) return <NoPermission title="Audit" role={project.role} />;
  const first = await load((caller) => caller.audit.list({ project: project.slug }));
  return <AuditTable project={project.slug} first={first} />;
}
