import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { FirstTurn } from './first-turn';
import { OverviewPanels } from './overview-panels';
import { readDays } from './period';

export const metadata: Metadata = { title: 'Overview' };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ days?: string | string[] }>;
}

export default async function OverviewPage({ params, searchParams }: Props) {
  const [{ project: slug }, { days }] = await Promise.all([params, searchParams]);
  const period = readDays(days);
  const [project, overview, alerts] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.verdicts.overview({ project: slug, days: period })),
    // Read apart: where alerts cannot be read, the browser asks again, and everything else stands.
    load((caller) => caller.alerts.board({ project: slug })).catch(() => null),
  ]);
  if (overview.lastVerdictAt === null && overview.turns === 0) return <FirstTurn project={project} />;
  return <OverviewPanels project={slug} days={period} initial={overview} alerts={alerts} mayAudit={may(project, 'audit.read')} />;
}
