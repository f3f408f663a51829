import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { loadDraftTest } from '../../builder/load-draft-test';
import { VerifierBuilder } from '../../builder/verifier-builder';

export const metadata: Metadata = { title: 'Edit verifier' };

export default async function EditVerifierPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string; slug: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { project, slug: sent } = await params;
  const slug = decodeURIComponent(sent);
  const stored = await load((caller) => caller.verifiers.definition({ project, slug }));
  return (
    <VerifierBuilder
      key={stored.version}
      project={project}
      stored={stored}
      initialDraft={await loadDraftTest(project, (await searchParams).try)}
      takenSlugs={[]}
      mayWrite={may(await loadProject(project), 'settings.write')}
    />
  );
}
