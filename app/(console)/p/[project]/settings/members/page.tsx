import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadMe, loadProject } from '@/app/_trpc/server';
import { MemberPanel } from './member-panel';

export const metadata: Metadata = { title: 'Members' };

export default async function MembersPage({ params }: { params: Promise<{ project: string }> }) {
  const [me, project] = await Promise.all([loadMe(), loadProject((await params).project)]);
  const members = await load((caller) => caller.members.list({ project: project.slug }));
  return (
    <MemberPanel
      project={project.slug}
      initial={members}
      myId={me.user.id}
      mayWrite={may(project, 'members.write')}
      mayMakeOwners={may(project, 'owners.write')}
    />
  );
}
