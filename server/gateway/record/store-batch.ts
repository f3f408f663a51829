import { recordCall } from '../../llm';
import { classifyStorageError, type Ctx } from '../../platform';
import {
  type NewTurn,
  type PlanTurns,
  asRuleTurn,
  type PreparedTurn,
  type TurnWriter,
} from '../../ingest';
import type { VerifierCall } from '../verify/ask-verifier';
import { planExchange } from './plan-exchange';
import type { ReadCall } from './read-captured';
import { storeCalls } from './store-calls';

/** Where calls are written to. */
export interface RecordStore {
  readonly ctx: Pick<Ctx, 'sql' | 'clock' | 'log'>;
  readonly writer: TurnWriter;
  /** What the projects' rules say that turns are owed. */
  readonly planTurns: PlanTurns;
}

/** Calls and what their verifiers asked, in one go. */
export interface Batch {
  readonly calls: readonly ReadCall[];
  readonly asked: readonly VerifierCall[];
}

interface WithTurn extends ReadCall {
  readonly turn: PreparedTurn;
}

/**
 * Stores a batch: turns with what they are owed, then the rows of the calls. Repeating it stores
 * nothing twice, but for the record of the verifier's own calls. @throws on faults of storage:
 * nothing is known to be stored
 */
export async function storeBatch(store: RecordStore, { calls, asked }: Batch): Promise<void> {
  const { refused, deleted } = await storeTurnsOf(
    store,
    calls.filter((call): call is WithTurn => call.turn !== null),
  );
  const rows = calls.flatMap(({ row }) =>
    deleted.has(row.id) ? [] : [refused.has(row.id) ? { ...row, turnId: null } : row],
  );
  await storeCalls(store.ctx, rows);
  for (const call of asked) await keepAsked(store.ctx, call);
}

async function keepAsked(ctx: RecordStore['ctx'], call: VerifierCall): Promise<void> {
  try {
    await recordCall(ctx, call);
  } catch (error) {
    if (classifyStorageError(error) !== 'data') throw error;
    ctx.log.error(
      { err: error, provider: call.provider, model: call.model },
      'a call to a verifier was not recorded',
    );
  }
}

/**
 * Returns the calls whose turn PostgreSQL does not take, and those whose turn was deleted here, or
 * whom it is about.
 */
async function storeTurnsOf(
  { ctx, writer, planTurns }: RecordStore,
  calls: readonly WithTurn[],
): Promise<{ readonly refused: ReadonlySet<string>; readonly deleted: ReadonlySet<string> }> {
  const refused = new Set<string>();
  const deleted = new Set<string>();
  if (calls.length === 0) return { refused, deleted };
  const planned = await planTurns(
    calls.map(({ projectId, turn }) => asRuleTurn(projectId, turn, 'gateway')),
  );
  const byProject = new Map<string, { readonly id: string; readonly row: NewTurn }[]>();
  for (const [at, { projectId, turn, owing, row }] of calls.entries()) {
    const ruled = planned[at] ?? { verdicts: [], decisions: [] };
    const rows = byProject.get(projectId) ?? [];
    rows.push({
      id: row.id,
      row: { projectId, turn, origin: 'gateway', planned: planExchange(ruled, owing), owner: null },
    });
    byProject.set(projectId, rows);
  }
  // A project that sends too much is told so by itself.
  await Promise.all(
    [...byProject.values()].map(async (rows) => {
      const results = await writer.write(rows.map(({ row }) => row));
      for (const [at, result] of results.entries()) {
        const id = rows[at]?.id;
        if (result.state === 'deleted' && id !== undefined) deleted.add(id);
        if (result.state !== 'refused' || id === undefined) continue;
        refused.add(id);
        ctx.log.error(
          { call: id, message: result.message },
          'the turn of a call was refused by PostgreSQL',
        );
      }
    }),
  );
  return { refused, deleted };
}
