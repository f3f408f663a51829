import type { Metadata } from 'next';
import { NoPermission } from '@/app/(console)/no-permission';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { LinkPanel } from './link-panel';

export const metadata: Metadata = { title: 'Slack' };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ code?: string | string[] }>;
}

export default async function SlackPage({ params, searchParams }: Props) {
  const project = await loadProject((await params).project);
  if (!may(project, 'labels.write')) return <NoPermission title="Slack" role={project.role} />;
  const { code } = await searchParams;
  const input = { project: project.slug, ...(typeof code === 'string' && { code }) };
  const initial = await load((caller) => caller.slack.links(input));
  return <LinkPanel input={input} initial={initial} />;
}
