'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../_trpc/client';

/**
 * How many items wait for this person; nothing while it is not known, and nothing where none does.
 */
export function ReviewCount({ project }: { project: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.review.waiting.queryOptions({ project }, { retry: false }));
  if (data === undefined || data === 0) return null;
  return (
    <span className="text-12 text-ink-2 ml-auto pl-2 font-normal">
      {data > 999 ? '999+' : data}
      <span className="sr-only"> open</span>
    </span>
  );
}
