'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../_trpc/client';
import type { Trust } from '../_trpc/outputs';

/**
 * The trust state of each verifier, by its name; loaded once per page. Empty while unknown: pages
 * work without it.
 */
export function useTrusts(project: string): ReadonlyMap<string, Trust> {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.trust.list.queryOptions({ project }, { staleTime: 30_000, retry: false, select: byName }),
  );
  return data ?? none;
}

const none: ReadonlyMap<string, Trust> = new Map();
const byName = (trusts: Trust[]): ReadonlyMap<string, Trust> =>
  new Map(trusts.map((trust) => [trust.verifier, trust]));
