import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { loadClone } from '../builder/load-clone';
import { loadTried } from '../builder/load-tried';
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
  const wanted = await searchParams;
  const taken = (await load((caller) => caller.verifiers.list({ project }))).map(
    ({ slug }) => slug,
  );
  return (
    <VerifierBuilder
      project={project}
      stored={null}
      begun={
        (await loadTried(project, wanted.try)) ?? (await loadClone(project, wanted.from, taken))
      }
      taken={taken}
      mayWrite={may(await loadProject(project), 'settings.write')}
    />
  );
}
