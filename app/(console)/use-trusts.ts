'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../_trpc/client';
import type { Trust } from '../_trpc/outputs';

/**
 * How far each verifier is trusted, by its name; one read a page, whoever asks. Empty while it is
 * not known: a page stands without it.
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
