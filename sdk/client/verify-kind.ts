import { call, failure, pause } from './call';
import type { Settings } from './options';
import { readVerification, type VerifyResult, writeTurn } from './verify';

/** A verify call of any kind, awaited until there is a verdict. */

export interface VerifyKind {
  readonly kind: string;
  /** Identifies the verification across retries. */
  readonly id: string;
  /** The kind's own members of the body, and further members of the call. */
  readonly members: unknown;
  readonly more: Readonly<Record<string, unknown>>;
  /** For the verdict, including all retries and waits. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The longest wait that the server allows in one request. */
const longestWaitMs = 30_000;
/** Poll interval, in case the server does not wait. */
const pauseMs = 250;

/**
 * `POST /v1/verify/{kind}`. While the verdict is pending, the same call is repeated: the id makes
 * it one verification, the server waits for the verdict, and a key with the scope `verify` is
 * enough. If the verdict is still pending after `timeoutMs`, the pending verification is returned.
 */
export async function verifyKind(
  settings: Settings,
  { kind, id, members, more, timeoutMs, signal }: VerifyKind,
): Promise<VerifyResult> {
  if (settings.misconfigured !== null) return failure('misconfigured', settings.misconfigured);
  const end = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(1, end - performance.now());
    const waitMs = Math.floor(Math.min(longestWaitMs, leftMs));
    const written = writeTurn(members, id, { ...more, mode: 'sync', wait_ms: waitMs });
    if ('why' in written)
      return failure('not_json', `what is to be verified is not JSON: ${written.why}`);
    const result = await call(
      settings,
      { path: `/v1/verify/${kind}`, body: written.text, timeoutMs: leftMs, signal },
      readVerification,
    );
    if (!result.ok || result.verification.state !== 'pending') return result;
    if (performance.now() + pauseMs >= end) return result;
    await pause(pauseMs, signal);
  }
}
