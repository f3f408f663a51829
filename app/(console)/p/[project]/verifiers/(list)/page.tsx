import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { ListFrame } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
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
  return (
    <PageBody>
      <PageHead title="Verifiers" sub="The subject, evaluators and thresholds of each verifier." />
      <ListFrame>
        <VerifierTable
          project={project}
          verifiers={verifiers}
          prompts={prompts}
          thresholds={thresholds}
          rules={rules}
        />
      </ListFrame>
    </PageBody>
  );
}
