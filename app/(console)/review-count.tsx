'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../_trpc/client';

const everyMs = 60_000;

/** How many items wait for this person; nothing while it is not known, and nothing where none does. */
export function ReviewCount({ project }: { project: string }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { data } = useQuery({
    // A reading of its own: a page that takes over what the server rendered must not find a newer one under its own key.
    queryKey: [...trpc.review.desk.queryKey({ project }), 'navigation'],
    queryFn: ({ signal }) => client.review.desk.query({ project }, { signal }),
    refetchInterval: everyMs,
    retry: false,
  });
  if (data === undefined || data.open === 0) return null;
  return (
    <span className="text-12 text-ink-2 ml-auto pl-2 font-normal">
      {data.open > 999 ? '999+' : data.open}
      <span className="sr-only"> open</span>
    </span>
  );
}
