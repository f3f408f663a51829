'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { VerdictDetail, VerdictLabels } from '@/app/_trpc/outputs';

/**
 * What people said of the verdict: at first as it came with the page, then as it was last read. The
 * head and the panel share it.
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
