import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { RulePanel } from './rule-panel';

export const metadata: Metadata = { title: 'Alert rules' };

export default async function AlertRulesPage({ params }: { params: Promise<{ project: string }> }) {
  const project = await loadProject((await params).project);
  const [rules, verifiers] = await Promise.all([
    load((caller) => caller.alerts.rules({ project: project.slug })),
    load((caller) => caller.verifiers.list({ project: project.slug })),
  ]);
  return (
    <RulePanel
      project={project}
      initial={rules}
      verifiers={verifiers.map(({ slug }) => slug)}
      mayWrite={may(project, 'settings.write')}
    />
  );
}
