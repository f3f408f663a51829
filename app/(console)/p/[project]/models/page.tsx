import type { Metadata } from 'next';
import { load } from '@/app/_trpc/server';
import { ModelList } from './model-list';

export const metadata: Metadata = { title: 'Models' };

export default async function ModelsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  const [initial, days] = await Promise.all([
    load((caller) => caller.models.list({ project })),
    // Read apart: where the days cannot be read, the browser asks again, and the table stands.
    load((caller) => caller.models.days({ project })).catch(() => null),
  ]);
  return <ModelList project={project} initial={initial} initialDays={days} />;
}
