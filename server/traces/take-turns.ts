import type { ProjectCtx } from '../access';
import { cleanText } from '../domain';
import { derivedId, newId, sha256, unavailable } from '../platform';
import type { TurnWriter } from './commit';
import { keepVersion } from './keep-version';
import { prepareBatch, type RejectedTurn } from './prepare';

export interface TakeTurnsInput {
  readonly body: Buffer;
  readonly validUtf8: boolean;
  /** The request's `Idempotency-Key`, if it has one. */
  readonly idempotencyKey: string | null;
  /** The verifier that owes each turn a verdict. */
  readonly verifier: string;
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
  const results = await writer.write(
    batch.turns.map(({ turn }) => ({
      projectId: ctx.projectId,
      turn,
      work: { id: newId('ver', now), verifier: input.verifier, owner: null },
    })),
  );
  const rejected: RejectedTurn[] = [...batch.rejected];
  const counts = { accepted: 0, duplicates: 0, conflicts: 0 };
  for (const [at, result] of results.entries()) {
    const entry = batch.turns[at];
    if (entry === undefined) throw unavailable('a turn has no result');
    if (result.state === 'inserted') counts.accepted++;
    else if (result.state === 'duplicate') counts.duplicates++;
    else if (result.state === 'refused') {
      rejected.push({
        index: entry.index,
        code: 'not_storable',
        message: result.message,
        body: entry.turn.original ?? Buffer.from(entry.turn.payload),
      });
    } else if ((await keepVersion(ctx, entry.turn, input.verifier)) === 'duplicate') counts.duplicates++;
    else {
      counts.accepted++;
      counts.conflicts++;
    }
  }
  await buryRejected(ctx, input.body, rejected);
  return { ...counts, rejected: rejected.map(({ index, code, message }) => ({ index, code, message })).sort((a, b) => a.index - b.index) };
}

/** Keeps what was refused, with the reason, before the answer says so. The same request sent again leaves the same letters. */
async function buryRejected(ctx: ProjectCtx, request: Buffer, rejected: readonly RejectedTurn[]): Promise<void> {
  if (rejected.length === 0) return;
  const requestHash = sha256(request);
  for (const { index, code, message, body } of rejected) {
    await ctx.sql`
      insert into dead_letters (project_id, id, route, code, message, body)
      values (${ctx.projectId}, ${derivedId('ddl', ctx.projectId, requestHash, String(index))}, '/v1/turns', ${code},
        ${cleanText(message).text}, ${body})
      on conflict do nothing`;
  }
}
