/**
 * What is told on the channel `assay_verdicts` (pg_notify) when verdicts settle or labels are appended, `<project> <settled> <labelled>`:
 * written by whoever stores them, read by the live feed.
 */
export interface LiveNotice {
  readonly projectId: string;
  readonly settled: number;
  readonly labelled: number;
}

export const liveChannel = 'assay_verdicts';

export function writeLiveNotice({ projectId, settled, labelled }: LiveNotice): string {
  return `${projectId} ${settled} ${labelled}`;
}

/** Counts that are left out are 0. */
export function readLiveNotice(text: string): LiveNotice {
  const [projectId = '', settled = '0', labelled = '0'] = text.split(' ');
  return { projectId, settled: Number(settled), labelled: Number(labelled) };
}
