import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { PageBody } from '@/app/_ui/page-head';
import { RouteForm } from '../route-form';
import { RouteHead } from '../route-head';

export const metadata: Metadata = { title: 'Gateway route' };

interface Props {
  params: Promise<{ project: string; name: string }>;
}

export default async function RoutePage({ params }: Props) {
  const { project: slug, name } = await params;
  const [project, route, judging, verifiers] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.gateway.route({ project: slug, name: decodeURIComponent(name) })),
    load((caller) => caller.verifiers.judging({ project: slug })),
    load((caller) => caller.verifiers.list({ project: slug })),
  ]);
  const mayWrite = may(project, 'settings.write');
  return (
    <PageBody>
      <RouteHead
        project={slug}
        route={route}
        edge={project.ingestUrl.replace(/\/$/, '')}
        mayWrite={mayWrite}
      />
      <RouteForm
        key={route.name}
        project={slug}
        route={route}
        models={judging.models}
        verifiers={verifiers.filter((each) => each.servesRoutes).map((each) => each.slug)}
        role={project.role}
        mayWrite={mayWrite}
      />
    </PageBody>
  );
}
