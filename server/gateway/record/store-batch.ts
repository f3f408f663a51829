import { recordCall } from '../../llm';
import type { MaskedCounts } from '../../masking';
import { classifyStorageError, type Ctx } from '../../platform';
import {
  type NewTurn,
  type PlanTurns,
  asRuleTurn,
  type PreparedTurn,
  type TurnWriter,
} from '../../ingest';
import type { VerifierCall } from '../verify/judge';
import type { ObservedTurns } from './observe-turn';
import { planExchangeVerifications } from './plan-verifications';
import type { ReadCall } from './read-captured';
import { storeCalls } from './store-calls';

/** Where calls are stored. */
export interface RecordStore {
  readonly ctx: Pick<Ctx, 'sql' | 'clock' | 'log'>;
  readonly writer: TurnWriter;
  /** Plans verifications according to the projects' rules. */
  readonly planVerifications: PlanTurns;
  /** Counts replaced values. Synchronous; never throws. */
  readonly noteMasked: (projectId: string, masked: MaskedCounts) => void;
  /** Counts answers for verifiers that observe a route. */
  readonly turns: ObservedTurns;
}

/** Calls and the model calls of their verifiers, stored together. */
export interface CallBatch {
  readonly calls: readonly ReadCall[];
  readonly verifierCalls: readonly VerifierCall[];
}

interface WithTurn extends ReadCall {
  readonly turn: PreparedTurn;
}

/**
 * Stores a batch: turns with their pending verifications, then the rows of the calls. Idempotent,
 * except for the verifiers' model calls. @throws on storage errors, after which it is unknown which
 * rows were stored
 */
export async function storeBatch(
  store: RecordStore,
  { calls, verifierCalls }: CallBatch,
): Promise<void> {
  const { refused, deleted } = await storeTurnsOf(
    store,
    calls.filter((call): call is WithTurn => call.turn !== null),
  );
  const rows = calls.flatMap(({ row }) =>
    deleted.has(row.id) ? [] : [refused.has(row.id) ? { ...row, turnId: null } : row],
  );
  await storeCalls(store.ctx, rows);
  await Promise.all(verifierCalls.map((call) => recordVerifierCall(store.ctx, call)));
}

async function recordVerifierCall(ctx: RecordStore['ctx'], call: VerifierCall): Promise<void> {
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
 * Returns the calls whose turn PostgreSQL rejects, and those whose turn was deleted or concerns a
 * deleted subject.
 */
async function storeTurnsOf(
  { ctx, writer, planVerifications }: RecordStore,
  calls: readonly WithTurn[],
): Promise<{ readonly refused: ReadonlySet<string>; readonly deleted: ReadonlySet<string> }> {
  const refused = new Set<string>();
  const deleted = new Set<string>();
  if (calls.length === 0) return { refused, deleted };
  const planned = await planVerifications(
    calls.map(({ projectId, turn }) => asRuleTurn(projectId, turn, 'gateway')),
  );
  const byProject = new Map<string, { readonly id: string; readonly row: NewTurn }[]>();
  for (const [at, { projectId, turn, exchange, row }] of calls.entries()) {
    const ruled = planned[at] ?? { verdicts: [], decisions: [] };
    const rows = byProject.get(projectId) ?? [];
    rows.push({
      id: row.id,
      row: {
        projectId,
        turn,
        origin: 'gateway',
        planned: planExchangeVerifications(ruled, exchange),
        owner: null,
      },
    });
    byProject.set(projectId, rows);
  }
  // Per project, so that one project over its rate limit does not affect the others.
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
