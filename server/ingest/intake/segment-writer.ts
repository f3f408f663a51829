import { type Ctx, notifyChanged } from '../../platform';
import { createGroupCommit, type GroupCommit } from './group-commit';
import { type NewSegment, storeSegments } from './store-segments';
import { counterShard } from './store-turns';
import { createWakeUp } from './wake-up';

export type SegmentResult =
  | { readonly state: 'inserted' | 'duplicate' }
  | { readonly state: 'refused'; readonly message: string };

export type SegmentWriter = GroupCommit<NewSegment, SegmentResult>;

/** Stores segments of traces by group commit. */
export function createSegmentWriter(ctx: Ctx): SegmentWriter {
  const wakeUp = createWakeUp(ctx);
  return createGroupCommit<NewSegment, SegmentResult>(ctx, {
    projectOf: (row) => row.projectId,
    keyOf: (row) => `${row.projectId}\n${row.traceId}\n${row.hash}`,
    bytesOf: (row) => row.bytes,
    async store(rows, { lane, isQuiet }) {
      const fresh = await storeSegments(ctx, rows, { shard: counterShard(lane), wakes: isQuiet });
      if (!isQuiet) wakeUp.soon();
      for (const row of rows) notifyChanged(ctx, row.projectId, 'traces');
      return rows.map((_, n) => ({ state: fresh.has(n) ? 'inserted' : 'duplicate' }));
    },
    repeat: (_row, _first, result) =>
      result.state === 'refused' ? result : { state: 'duplicate' },
    refuse: () => ({ state: 'refused', message: 'these spans cannot be stored' }),
  });
}
