import { call, failure, pause } from './call';
import { idOf } from './ids';
import type { Settings } from './options';
import type { ApiRoutes } from './routes';
import type { Turn } from './turn';
import { readVerification, type VerifyOptions, type VerifyResult, writeTurn } from './verify';

/** Verify calls of every kind, awaited until there is a verdict. */

type RouteOf<Kind extends string> = `POST /v1/verify/${Kind}`;

/** The built-in kinds. */
export type VerifyKindName = {
  [R in keyof ApiRoutes]: R extends RouteOf<infer Kind>
    ? Kind extends `{${string}`
      ? never
      : Kind
    : never;
}[keyof ApiRoutes];

/** The options determine how to wait. */
type Without<Body, Names extends string> = Body extends unknown ? Omit<Body, Names> : never;
type Waiting = 'mode' | 'wait_ms';

/** The work of a verify call, as `POST /v1/verify/{kind}` takes it. */
export type VerifyWork<Kind extends VerifyKindName> = Kind extends 'integrity'
  ? Turn & Without<ApiRoutes[RouteOf<'integrity'>]['body'], Waiting | keyof Turn>
  : Without<ApiRoutes[RouteOf<Kind>]['body'], Waiting>;

/** The work of a call of a verifier that the project defined: its `subject`. */
export type OwnVerifierWork = Without<ApiRoutes[RouteOf<'{verifier}'>]['body'], Waiting>;

/** `timeoutMs` is for the verdict (120,000); a verdict that takes longer is `pending`. */
export type VerifyKindOptions = Pick<
  VerifyOptions,
  'mode' | 'timeoutMs' | 'signal' | 'throwOnError'
>;

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
  /** `async` returns at once, with the id of a pending verification. */
  readonly mode?: 'sync' | 'async' | undefined;
}

/** The longest wait of one request to the server. */
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
  { kind, id, members, more, timeoutMs, signal, mode = 'sync' }: VerifyKind,
): Promise<VerifyResult> {
  if (settings.misconfigured !== null) return failure('misconfigured', settings.misconfigured);
  const end = performance.now() + timeoutMs;
  // The same in all calls, since another body under one id would be a conflict; and shorter than
  // the time that is left for the answer.
  const waitMs = Math.floor(Math.min(longestWaitMs, timeoutMs) * 0.9);
  const written = writeTurn(members, id, { ...more, mode, wait_ms: waitMs });
  if ('problem' in written) return failure('not_json', `the work is not JSON: ${written.problem}`);
  const path = `/v1/verify/${encodeURIComponent(kind)}`;
  let pending: VerifyResult | null = null;
  for (;;) {
    const leftMs = Math.max(1, end - performance.now());
    const result = await call(
      settings,
      { path, body: written.text, timeoutMs: leftMs, signal },
      readVerification,
    );
    // The time ended during a later call.
    if (!result.ok && result.error.code === 'unreachable') return pending ?? result;
    if (!result.ok || result.verification.state !== 'pending' || mode === 'async') return result;
    if (performance.now() + pauseMs >= end) return result;
    pending = result;
    await pause(pauseMs, signal);
  }
}

/** As `verifyKind`, with an id of the work or a new one. Never throws. */
export const verifyWork = (
  settings: Settings,
  kind: string,
  work: unknown,
  { mode, timeoutMs = 120_000, signal }: VerifyKindOptions,
): Promise<VerifyResult> =>
  verifyKind(settings, {
    kind,
    id: idOf(work, 'v'),
    members: work,
    more: {},
    timeoutMs,
    signal,
    mode,
  });
