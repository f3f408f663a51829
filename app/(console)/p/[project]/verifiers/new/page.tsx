import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { loadTried } from '../builder/load-tried';
import { VerifierBuilder } from '../builder/verifier-builder';

export const metadata: Metadata = { title: 'New verifier' };

export default async function NewVerifierPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { project } = await params;
  const verifiers = await load((caller) => caller.verifiers.list({ project }));
  return (
    <VerifierBuilder
      project={project}
      stored={null}
      tried={await loadTried(project, (await searchParams).try)}
      taken={verifiers.map(({ slug }) => slug)}
      mayWrite={may(await loadProject(project), 'settings.write')}
    />
  );
}
