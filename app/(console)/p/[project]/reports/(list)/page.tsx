import type { Metadata } from 'next';
import { load, loadProject } from '@/app/_trpc/server';
import { ReportsView } from './reports-view';

export const metadata: Metadata = { title: 'Reports' };

interface Props {
  params: Promise<{ project: string }>;
}

export default async function ReportsPage({ params }: Props) {
  const { project } = await params;
  const [row, first, schedules] = await Promise.all([
    loadProject(project),
    load((caller) => caller.reports.list({ project })),
    load((caller) => caller.reports.schedules({ project })),
  ]);
  return <ReportsView project={row} first={first} schedules={schedules} />;
}
