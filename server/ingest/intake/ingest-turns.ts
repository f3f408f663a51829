import { type ProjectCtx, simulatedTime } from '../../access';
import { deletedMessage, unavailable } from '../../platform';
import { recordDeadLetters } from './dead-letters';
import type { TurnWriter } from './commit';
import { storeTurnVersion } from './store-turn-version';
import {
  nothingPlanned,
  type PlanTurns,
  asRuleTurn,
  type RuleTurn,
  type TurnOrigin,
} from './plan-turns';
import { prepareBatch, type PreparedTurn, type RejectedTurn } from './prepare';

export interface IngestTurnsInput {
  readonly body: Buffer;
  readonly validUtf8: boolean;
  /** The request's `Idempotency-Key`, if it has one. */
  readonly idempotencyKey: string | null;
  readonly planTurns: PlanTurns;
}

export interface IngestedTurns {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly {
    readonly index: number;
    readonly code: string;
    readonly message: string;
  }[];
  /** Turns whose id was already known with other content: both are kept, the turn is flagged. */
  readonly conflicts: number;
}

/**
 * Takes a batch of turns: when this resolves, they are stored with their pending work (product.md
 * 5).
 * @throws AssayError invalid_request (the body as a whole), unavailable (send again)
 */
export async function ingestTurns(
  ctx: ProjectCtx,
  writer: TurnWriter,
  input: IngestTurnsInput,
): Promise<IngestedTurns> {
  const now = ctx.clock.now();
  const idSeed = input.idempotencyKey === null ? null : `${ctx.projectId}\n${input.idempotencyKey}`;
  const batch = prepareBatch(input.body, input.validUtf8, { now, idSeed });
  const rejected: RejectedTurn[] = [...batch.rejected];
  const refuse = ({ index, turn }: (typeof batch.turns)[number], code: string, message: string) =>
    rejected.push({ index, code, message, body: turn.original ?? Buffer.from(turn.payload) });
  const timely = batch.turns.filter((entry) => {
    if (!isInFuture(ctx, entry.turn)) return true;
    refuse(entry, 'invalid', '`ended_at` must not be in the future.');
    return false;
  });
  const taken = await ingestPrepared(ctx, writer, {
    turns: timely.map(({ turn }) => turn),
    planTurns: input.planTurns,
    origin: 'api',
  });
  for (const { at, message, deleted } of taken.refused) {
    const entry = timely[at];
    if (entry === undefined) throw unavailable('the turn was not stored; send it again');
    // For deleted content the dead letter records only that it was resent, not its text.
    if (deleted)
      rejected.push({ index: entry.index, code: 'deleted', message, body: Buffer.alloc(0) });
    else refuse(entry, 'not_storable', message);
  }
  await recordDeadLetters(ctx, { route: '/v1/turns', request: input.body, rejected });
  const { accepted, duplicates, conflicts } = taken;
  return {
    accepted,
    duplicates,
    conflicts,
    rejected: rejected
      .map(({ index, code, message }) => ({ index, code, message }))
      .sort((a, b) => a.index - b.index),
  };
}

/** True for a turn with a future time in a simulated project, which dates turns by their end. */
function isInFuture(
  { simulated, clock }: ProjectCtx,
  { startedAt, endedAt }: PreparedTurn,
): boolean {
  const statedTime = endedAt ?? startedAt;
  return simulated && statedTime !== null && new Date(statedTime) > clock.now();
}

export interface IngestedPrepared {
  readonly accepted: number;
  readonly duplicates: number;
  readonly conflicts: number;
  /** Turns that PostgreSQL does not accept, or that were deleted earlier, by their position. */
  readonly refused: readonly {
    readonly at: number;
    readonly message: string;
    readonly deleted: boolean;
  }[];
}

/**
 * Stores prepared turns with their planned verifications. @throws AssayError unavailable (send
 * again), rate_limited
 */
export async function ingestPrepared(
  ctx: ProjectCtx,
  writer: TurnWriter,
  input: {
    readonly turns: readonly PreparedTurn[];
    readonly planTurns: PlanTurns;
    readonly origin: TurnOrigin;
  },
): Promise<IngestedPrepared> {
  const { turns, planTurns, origin } = input;
  const ruleTurnOf = (turn: PreparedTurn): RuleTurn => asRuleTurn(ctx.projectId, turn, origin);
  const planned = await planTurns(turns.map(ruleTurnOf));
  const results = await writer.write(
    turns.map((turn, at) => {
      const receivedAt = isInFuture(ctx, turn)
        ? null
        : simulatedTime(ctx, 'ended_at', turn.endedAt ?? turn.startedAt);
      return {
        projectId: ctx.projectId,
        turn,
        origin,
        planned: planned[at] ?? nothingPlanned,
        owner: null,
        receivedAt,
      };
    }),
  );
  const counts = { accepted: 0, duplicates: 0, conflicts: 0 };
  const refused: { at: number; message: string; deleted: boolean }[] = [];
  for (const [at, result] of results.entries()) {
    const turn = turns[at];
    if (turn === undefined) throw unavailable('the turn was not stored; send it again');
    if (result.state === 'inserted') counts.accepted++;
    else if (result.state === 'duplicate') counts.duplicates++;
    else if (result.state === 'refused')
      refused.push({ at, message: result.message, deleted: false });
    else if (result.state === 'deleted')
      refused.push({ at, message: deletedMessage, deleted: true });
    else if ((await storeTurnVersion(ctx, turn, { planTurns, origin })) === 'duplicate')
      counts.duplicates++;
    else {
      counts.accepted++;
      counts.conflicts++;
    }
  }
  return { ...counts, refused };
}
