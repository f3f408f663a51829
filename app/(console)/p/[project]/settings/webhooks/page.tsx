import type { Metadata } from 'next';
import { NoPermission } from '@/app/(console)/no-permission';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { DeliveryTable } from './delivery-table';
import { DestinationPanel } from './destination-panel';

export const metadata: Metadata = { title: 'Destinations' };

interface Props {
  params: Promise<{ project: string }>;
}

export default async function DestinationsPage({ params }: Props) {
  const project = await loadProject((await params).project);
  if (!may(project, 'settings.write'))
    return <NoPermission title="Destinations" role={project.role} />;
  const [destinations, deliveries] = await Promise.all([
    load((caller) => caller.destinations.list({ project: project.slug })),
    load((caller) => caller.destinations.deliveries({ project: project.slug, limit: 25 })),
  ]);
  return (
    <>
      <DestinationPanel project={project.slug} initial={destinations} />
      <DeliveryTable project={project.slug} initial={deliveries} />
    </>
  );
}
