import type { Metadata } from 'next';
import { Shell } from '@/app/(console)/shell';
import { loadMe } from '@/app/_trpc/server';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty } from '@/app/_ui/panel';
import { NewProjectForm } from './new-project-form';

export const metadata: Metadata = { title: 'Create a project' };

export default async function NewProjectPage() {
  const me = await loadMe();
  return (
    <Shell me={me} project={null}>
      <PageBody narrow>
        <PageHead
          title="Create a project"
          sub="A project keeps its own turns, verdicts, keys and members."
        />
        {me.user.operator ? (
          <NewProjectForm />
        ) : (
          <Empty title="Only operators of this server create projects." />
        )}
      </PageBody>
    </Shell>
  );
}
