import type { ReactNode } from 'react';
import { settingsPagesOf } from '@/app/(console)/pages';
import { loadProject } from '@/app/_trpc/server';
import { PageBody } from '@/app/_ui/page-head';
import { SettingsNav } from './settings-nav';

interface Props {
  params: Promise<{ project: string }>;
  children: ReactNode;
}

export default async function SettingsLayout({ params, children }: Props) {
  const project = await loadProject((await params).project);
  return (
    <PageBody>
      <SettingsNav pages={settingsPagesOf(project)} />
      {children}
    </PageBody>
  );
}
