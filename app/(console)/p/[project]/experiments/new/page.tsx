import type { Metadata } from 'next';
import { Crumbs } from '@/app/(console)/crumbs';
import { NoPermission } from '@/app/(console)/no-permission';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { SubjectTarget } from '@/server/domain';
import { ExperimentForm } from './experiment-form';

export const metadata: Metadata = { title: 'Start experiment' };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function NewExperimentPage({ params, searchParams }: Props) {
  const { project: slug } = await params;
  const [project, datasets, judging, verifiers, prompts, { dataset }] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.datasets.list({ project: slug, limit: 200 })),
    load((caller) => caller.verifiers.judging({ project: slug })),
    load((caller) => caller.verifiers.list({ project: slug })),
    load((caller) => caller.prompts.list({ project: slug })),
    searchParams,
  ]);
  if (!may(project, 'prompts.write')) {
    return (
      <PageBody narrow>
        <NoPermission title="Start experiment" role={project.role} />
      </PageBody>
    );
  }
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[
              { name: 'Experiments', href: `/p/${slug}/experiments`, list: `${slug}/experiments` },
            ]}
            pageName="Start experiment"
          />
        }
        title="Start experiment"
        sub="Calls a target once for each item of a dataset, and verifies every output."
      />
      <ExperimentForm
        project={slug}
        datasets={datasets.items.filter(({ version }) => version > 0)}
        models={judging.models}
        prompts={prompts.filter(({ kind }) => kind === 'application')}
        verifiers={verifiers.filter(
          ({ archived, targets }) => !archived && targets.includes(SubjectTarget.enum.turn),
        )}
        dataset={typeof dataset === 'string' ? dataset : null}
      />
    </PageBody>
  );
}
