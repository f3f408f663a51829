import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { ModelList } from './model-list';

export const metadata: Metadata = { title: 'Models' };

export default async function ModelsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  const [initial, days] = await Promise.all([
    load((caller) => caller.models.list({ project })),
    // Loaded separately: on failure the browser retries, and the table is shown.
    load((caller) => caller.models.days({ project })).catch(() => null),
  ]);
  return <ModelList project={project} initial={initial} initialDays={days} />;
}
