import type { Metadata } from 'next';
import Link from 'next/link';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { buttonClass } from '@/app/_ui/button';
import { ListFrame } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { ProjectVerifierTable } from './project-verifier-table';
import { VerifierTable } from './verifier-table';

export const metadata: Metadata = { title: 'Verifiers' };

export default async function VerifiersPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  const [verifiers, prompts, thresholds, rules] = await Promise.all([
    load((caller) => caller.verifiers.list({ project })),
    load((caller) => caller.prompts.list({ project })),
    load((caller) => caller.thresholds.list({ project })),
    load((caller) => caller.rules.list({ project })),
  ]);
  const projectVerifiers = verifiers.filter(({ isCustom }) => isCustom);
  const mayWrite = may(await loadProject(project), 'settings.write');
  return (
    <PageBody>
      <PageHead title="Verifiers" sub="The subject, evaluators and thresholds of each verifier.">
        {mayWrite ? (
          <Link href={`/p/${project}/verifiers/new`} className={buttonClass('primary')}>
            Create verifier
          </Link>
        ) : null}
      </PageHead>
      <ListFrame>
        <VerifierTable
          project={project}
          verifiers={verifiers.filter(({ isCustom }) => !isCustom)}
          prompts={prompts}
          thresholds={thresholds}
          rules={rules}
        />
      </ListFrame>
      <Panel title="Verifiers of this project">
        <ProjectVerifierTable project={project} verifiers={projectVerifiers} rules={rules} />
      </Panel>
    </PageBody>
  );
}
