import { type Ctx, notifyChanged } from '../../platform';
import { createGroupCommit, type GroupCommit } from './group-commit';
import { createWakeUp } from './wake-up';
import { counterShard, deletedHash, type NewTurn, storeTurns } from './store-turns';

/**
 * `differs`: the id is taken by other content, and nothing was changed. `refused`: PostgreSQL does
 * not accept this row. `deleted`: it was deleted earlier.
 */
export type WriteResult =
  | { readonly state: 'inserted' | 'duplicate' | 'differs' | 'deleted' }
  | { readonly state: 'refused'; readonly message: string };

export type TurnWriter = GroupCommit<NewTurn, WriteResult>;

/** Stores turns by group commit, each with its planned verifications. */
export function createTurnWriter(ctx: Ctx): TurnWriter {
  const wakeUp = createWakeUp(ctx);
  return createGroupCommit<NewTurn, WriteResult>(ctx, {
    projectOf: (row) => row.projectId,
    keyOf: (row) => `${row.projectId}\n${row.turn.id}`,
    bytesOf: (row) => row.turn.payload.length,
    async store(rows, { lane, isQuiet }) {
      const taken = await storeTurns(ctx, rows, { shard: counterShard(lane), wakes: isQuiet });
      if (!isQuiet) wakeUp.soon();
      for (const row of rows) notifyChanged(ctx, row.projectId, 'turns');
      return rows.map((row, index) => {
        const hash = taken.get(index);
        if (hash === undefined) return { state: 'inserted' };
        if (hash === deletedHash) return { state: 'deleted' };
        return { state: hash === row.turn.contentHash ? 'duplicate' : 'differs' };
      });
    },
    repeat(row, first, result) {
      // A repeat of content that is not stored yet (`differs`) is not a duplicate: the answer must
      // not report it as stored.
      if (result.state === 'refused' || result.state === 'deleted') return result;
      return {
        state:
          row.turn.contentHash === first.turn.contentHash && result.state !== 'differs'
            ? 'duplicate'
            : 'differs',
      };
    },
    refuse: () => ({ state: 'refused', message: 'this turn cannot be stored' }),
  });
}
