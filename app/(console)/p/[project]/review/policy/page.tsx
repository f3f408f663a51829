import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { PolicyView } from './policy-view';

export const metadata: Metadata = { title: 'Policy' };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ verifier?: string | string[] }>;
}

/** Names of verifiers may contain any character, so they are in the query string. */
export default async function PolicyPage({ params, searchParams }: Props) {
  const [{ project: slug }, { verifier }] = await Promise.all([params, searchParams]);
  if (typeof verifier !== 'string' || verifier === '') notFound();
  const project = await loadProject(slug);
  const policies = await load((caller) => caller.review.policies({ project: slug, verifier }));
  return (
    <PolicyView
      key={verifier}
      project={slug}
      verifier={verifier}
      initial={policies}
      mayWrite={may(project, 'settings.write')}
    />
  );
}
