import type { Metadata } from 'next';
import { deleteButtonFor } from '../../delete-button-for';
import { load } from '@/app/_trpc/server';
import { TraceView } from './trace-view';

export const metadata: Metadata = { title: 'Trace' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function TracePage({ params }: Props) {
  const { project, id: sent } = await params;
  const id = decodeURIComponent(sent);
  const [data, tree] = await Promise.all([
    load((caller) => caller.traces.get({ project, id })),
    load((caller) => caller.traces.spans({ project, id })),
  ]);
  const deletion = await deleteButtonFor(project, 'trace', id);
  return (
    <TraceView key={id} project={project} id={id} data={data} tree={tree} deletion={deletion} />
  );
}
