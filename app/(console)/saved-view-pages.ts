import type { SavedViewPage } from '@/server/domain';

/** The path of each list below its project, and its label. */
export const savedViewLists: Record<
  SavedViewPage,
  { readonly path: string; readonly name: string }
> = {
  verdicts: { path: 'verdicts', name: 'Verdicts' },
  traces: { path: 'traces', name: 'Traces' },
  sessions: { path: 'sessions', name: 'Sessions' },
  review: { path: 'review', name: 'Review' },
  'calibration-rows': { path: 'calibration/rows', name: 'Calibration rows' },
  'gateway-calls': { path: 'gateway/calls', name: 'Calls' },
};

export function viewHref(
  project: string,
  { page, query }: { readonly page: SavedViewPage; readonly query: string },
): string {
  return `/p/${project}/${savedViewLists[page].path}${query}`;
}
