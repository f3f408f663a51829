import type { Metadata } from 'next';
import { NoPermission } from '@/app/(console)/no-permission';
import { Crumbs } from '@/app/(console)/crumbs';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { RouteForm } from '../routes/route-form';

export const metadata: Metadata = { title: 'Create route' };

export default async function NewRoutePage({ params }: { params: Promise<{ project: string }> }) {
  const { project: slug } = await params;
  const [project, judging, verifiers] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.verifiers.judging({ project: slug })),
    load((caller) => caller.verifiers.list({ project: slug })),
  ]);
  if (!may(project, 'settings.write')) {
    return (
      <PageBody narrow>
        <NoPermission title="Create route" role={project.role} />
      </PageBody>
    );
  }
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[{ name: 'Gateway', href: `/p/${slug}/gateway` }]}
            pageName="Create route"
          />
        }
        title="Create route"
        sub="Another upstream, or other settings for the same one."
      />
      <RouteForm
        project={slug}
        route={null}
        models={judging.models}
        verifiers={verifiers.filter((each) => each.servesRoutes).map((each) => each.slug)}
        role={project.role}
        mayWrite
      />
    </PageBody>
  );
}
