import { type ProjectCtx, simulatedTime } from '../access';
import { conflict, deletedMessage, newId, unavailable } from '../platform';
import { isKnownContent, prepareTurn, type TurnWriter } from '../ingest';
import { type FullVerdict, findVerdict, findVerdictOfTurn } from './get';
import type { PendingVerdict } from './pending';
import type { SubjectDeps } from './subjects/subject-deps';
import { verifyClaimed } from './verify';

export interface VerifyNowInput {
  /** One turn, as JSON text. */
  readonly body: Buffer;
  readonly validUtf8: boolean;
  readonly idempotencyKey: string | null;
  readonly verifier: string;
  readonly mode: 'sync' | 'async';
  /** This process, as the lease holder. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/**
 * Stores one turn and verifies it: immediately in `sync` mode, by a worker in `async` mode. The
 * turn is first stored together with its work row: if this process fails, a worker verifies the
 * turn after the lease expires.
 * @throws AssayError invalid_request, conflict (the id was used with another body), unavailable
 */
export async function verifyNow(
  ctx: ProjectCtx,
  { writer, subjects }: { readonly writer: TurnWriter; readonly subjects: SubjectDeps },
  input: VerifyNowInput,
): Promise<FullVerdict | PendingVerdict> {
  const now = ctx.clock.now();
  const idSeed =
    input.idempotencyKey === null ? null : `${ctx.projectId}\nverify\n${input.idempotencyKey}`;
  const turn = prepareTurn(input.body, input.validUtf8, { now, idSeed });
  const id = newId('ver', now);
  const here = input.mode === 'sync';
  const owner = here ? input.owner : null;
  const asked = { verdictId: id, verifier: input.verifier, rule: null, delaySeconds: 0 };
  const planned = { verdicts: [asked], decisions: [] };
  const receivedAt = simulatedTime(ctx, 'ended_at', turn.endedAt ?? turn.startedAt);
  const [result] = await writer.write([
    { projectId: ctx.projectId, turn, origin: 'api', planned, owner, receivedAt },
  ]);
  if (result === undefined || result.state === 'refused')
    throw unavailable('the turn was not stored; send it again');
  if (result.state === 'deleted') throw conflict(deletedMessage);
  if (result.state === 'differs' && !(await isKnownContent(ctx, turn)))
    throw conflict(`id: was used before with another body: "${turn.id}"`);
  if (result.state === 'inserted' && here) {
    await verifyClaimed(ctx, subjects, {
      owner: input.owner,
      signal: input.signal,
      urgent: true,
      claimed: [
        {
          projectId: ctx.projectId,
          id,
          subjectKind: 'turn',
          subjectId: turn.id,
          revision: 1,
          verifier: input.verifier,
          rule: null,
          fence: 1,
          attempts: 1,
          createdAt: now,
        },
      ],
    });
  }
  const found =
    result.state === 'inserted'
      ? await findVerdict(ctx, id)
      : await findVerdictOfTurn(ctx, turn.id, input.verifier);
  if (found === null) throw unavailable('the verification was not found; send the request again');
  return found;
}
