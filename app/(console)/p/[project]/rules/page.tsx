import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { RulePanel } from './rule-panel';

export const metadata: Metadata = { title: 'Rules' };

export default async function RulesPage({ params }: { params: Promise<{ project: string }> }) {
  const { project: slug } = await params;
  const [project, rules, jobs, verifiers] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.rules.list({ project: slug })),
    load((caller) => caller.jobs.list({ project: slug, kind: 'rules.backfill', limit: 5 })),
    load((caller) => caller.verifiers.list({ project: slug })),
  ]);
  return (
    <RulePanel
      project={slug}
      rules={rules}
      jobs={jobs}
      verifiers={verifiers}
      mayWrite={may(project, 'settings.write')}
    />
  );
}
