import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { ReviewPanel } from './review-panel';

export const metadata: Metadata = { title: 'Review settings' };

export default async function ReviewSettingsPage({
  params,
}: {
  params: Promise<{ project: string }>;
}) {
  const project = await loadProject((await params).project);
  const [settings, verifiers] = await Promise.all([
    load((caller) => caller.review.settings({ project: project.slug })),
    load((caller) => caller.verifiers.list({ project: project.slug })),
  ]);
  return (
    <ReviewPanel
      project={project}
      initial={settings}
      verifiers={verifiers.map(({ slug }) => slug)}
      mayWrite={may(project, 'settings.write')}
    />
  );
}
