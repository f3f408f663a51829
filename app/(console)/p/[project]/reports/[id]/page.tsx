import type { Metadata } from 'next';
import { load, loadProject } from '@/app/_trpc/server';
import { ReportView } from './report-view';

export const metadata: Metadata = { title: 'Report' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function ReportPage({ params }: Props) {
  const { project, id: sent } = await params;
  const id = decodeURIComponent(sent);
  const [row, report] = await Promise.all([
    loadProject(project),
    load((caller) => caller.reports.get({ project, id })),
  ]);
  return <ReportView key={id} project={row} initial={report} />;
}
