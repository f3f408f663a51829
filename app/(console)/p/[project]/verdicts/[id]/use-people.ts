'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { VerdictDetail, VerdictLabels } from '@/app/_trpc/outputs';

/**
 * People's rulings on the verdict: at first as loaded with the page, then as last fetched. The head
 * and the panel share it.
 */
export function usePeople(project: string, verdict: VerdictDetail): VerdictLabels {
  const { data } = useQuery(
    useTRPC().labels.ofVerdict.queryOptions(
      { project, id: verdict.id },
      { initialData: verdict.people, refetchOnWindowFocus: false },
    ),
  );
  return data;
}

/** Reads the rulings again, after one was stored or undone. */
export function useRefreshPeople(project: string, id: string): () => void {
  const client = useQueryClient();
  const queryKey = useTRPC().labels.ofVerdict.queryKey({ project, id });
  return () => void client.invalidateQueries({ queryKey });
}
