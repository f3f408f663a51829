import { redirect } from 'next/navigation';
import { settingsPagesOf } from '@/app/(console)/pages';
import { loadProject } from '@/app/_trpc/server';

export default async function SettingsPage({ params }: { params: Promise<{ project: string }> }) {
  const project = await loadProject((await params).project);
  redirect(settingsPagesOf(project)[0]?.href ?? `/p/${project.slug}`);
}
