import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { loadClone } from '../builder/load-clone';
import { loadDraftTest } from '../builder/load-draft-test';
import { VerifierBuilder } from '../builder/verifier-builder';

export const metadata: Metadata = { title: 'Create verifier' };

export default async function NewVerifierPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { project } = await params;
  const query = await searchParams;
  const takenSlugs = (await load((caller) => caller.verifiers.list({ project }))).map(
    ({ slug }) => slug,
  );
  return (
    <VerifierBuilder
      project={project}
      stored={null}
      initialDraft={
        (await loadDraftTest(project, query.try)) ??
        (await loadClone(project, query.from, takenSlugs))
      }
      takenSlugs={takenSlugs}
      mayWrite={may(await loadProject(project), 'settings.write')}
    />
  );
}
