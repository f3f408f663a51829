import type { ProjectCtx } from '../access';
import { unavailable } from '../platform';
import { buryRejected } from './bury';
import type { TurnWriter } from './commit';
import { keepVersion } from './keep-version';
import { nothingOwed, type Owe, owingTurn, type OwingTurn, type TurnOrigin } from './owe';
import { prepareBatch, type PreparedTurn, type RejectedTurn } from './prepare';

export interface TakeTurnsInput {
  readonly body: Buffer;
  readonly validUtf8: boolean;
  /** The request's `Idempotency-Key`, if it has one. */
  readonly idempotencyKey: string | null;
  readonly owe: Owe;
}

export interface TurnsTaken {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly { readonly index: number; readonly code: string; readonly message: string }[];
  /** Turns whose id had come before with other content: both are kept, the turn is flagged. */
  readonly conflicts: number;
}

/**
 * Takes a batch of turns: stored, with the work they are owed, when this resolves (product.md 5).
 * @throws AssayError invalid_request (the body as a whole), unavailable (send again)
 */
export async function takeTurns(ctx: ProjectCtx, writer: TurnWriter, input: TakeTurnsInput): Promise<TurnsTaken> {
  const now = ctx.clock.now();
  const idSeed = input.idempotencyKey === null ? null : `${ctx.projectId}\n${input.idempotencyKey}`;
  const batch = prepareBatch(input.body, input.validUtf8, { now, idSeed });
  const taken = await takePrepared(ctx, writer, { turns: batch.turns.map(({ turn }) => turn), owe: input.owe, origin: 'api' });
  const rejected: RejectedTurn[] = [...batch.rejected];
  for (const { at, message } of taken.refused) {
    const entry = batch.turns[at];
    if (entry === undefined) throw unavailable('a turn has no result');
    const body = entry.turn.original ?? Buffer.from(entry.turn.payload);
    rejected.push({ index: entry.index, code: 'not_storable', message, body });
  }
  await buryRejected(ctx, { route: '/v1/turns', request: input.body, rejected });
  const { accepted, duplicates, conflicts } = taken;
  return {
    accepted,
    duplicates,
    conflicts,
    rejected: rejected.map(({ index, code, message }) => ({ index, code, message })).sort((a, b) => a.index - b.index),
  };
}

export interface PreparedTaken {
  readonly accepted: number;
  readonly duplicates: number;
  readonly conflicts: number;
  /** Turns that PostgreSQL does not take, by their place. */
  readonly refused: readonly { readonly at: number; readonly message: string }[];
}

/** Stores turns that are prepared already, with what they are owed. @throws AssayError unavailable (send again), rate_limited */
export async function takePrepared(
  ctx: ProjectCtx,
  writer: TurnWriter,
  input: { readonly turns: readonly PreparedTurn[]; readonly owe: Owe; readonly origin: TurnOrigin },
): Promise<PreparedTaken> {
  const { turns, owe, origin } = input;
  const owing = (turn: PreparedTurn): OwingTurn => owingTurn(ctx.projectId, turn, origin);
  const owed = await owe(turns.map(owing));
  const results = await writer.write(
    turns.map((turn, at) => ({ projectId: ctx.projectId, turn, origin, owed: owed[at] ?? nothingOwed, owner: null })),
  );
  const counts = { accepted: 0, duplicates: 0, conflicts: 0 };
  const refused: { at: number; message: string }[] = [];
  for (const [at, result] of results.entries()) {
    const turn = turns[at];
    if (turn === undefined) throw unavailable('a turn has no result');
    if (result.state === 'inserted') counts.accepted++;
    else if (result.state === 'duplicate') counts.duplicates++;
    else if (result.state === 'refused') refused.push({ at, message: result.message });
    else if ((await keepVersion(ctx, turn, { owe, origin })) === 'duplicate') counts.duplicates++;
    else {
      counts.accepted++;
      counts.conflicts++;
    }
  }
  return { ...counts, refused };
}
