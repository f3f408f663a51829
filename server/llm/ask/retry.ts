import type { AskErrorClass } from '../../domain';
import type { Clock } from '../../platform';
import type { EndpointAdmission, CallEnd, CallKey, Endpoints } from './endpoints';

/** A call that returned no answer. */
export interface CallFault {
  readonly state: 'failed';
  readonly errorClass: AskErrorClass;
  readonly message: string;
  readonly retryAfterMs: number | null;
}

export interface RetryDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly endpoints: Endpoints;
}

export interface RetryLimits {
  readonly key: CallKey;
  /** Monotonic ms. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/**
 * Maximum number of calls per question; attempts of the queue are additional and not counted here
 * (X-4).
 */
const attemptsMax = 3;

/**
 * Errors that another call may fix. A timeout has used up the time, and an unparsable reply would
 * probably recur.
 */
const retried: ReadonlySet<AskErrorClass> = new Set(['rate_limited', 'overloaded', 'unreachable']);

/**
 * Errors that indicate a fault of the endpoint; the others are caused by the question or by this
 * process.
 */
const endpointFaults: ReadonlySet<AskErrorClass> = new Set([
  'timeout',
  'overloaded',
  'unreachable',
  'unauthorized',
  'bad_reply',
]);

/**
 * Repeats the call, at the endpoint's pace, until it is answered, cannot succeed, or has no time
 * left. `call` receives the attempt (1 …) and the time left. Returns the last failure with the
 * delay before the next question.
 */
export async function callWithRetries<
  Answer extends { readonly state: 'answered'; readonly latencyMs: number },
>(
  { clock, endpoints }: RetryDeps,
  { key, deadlineAt, signal }: RetryLimits,
  call: (attempt: number, leftMs: number) => Promise<Answer | CallFault>,
): Promise<Answer | CallFault> {
  let last: CallFault | null = null;
  for (let attempt = 1; ; attempt++) {
    const admission = await endpoints.admit(key, deadlineAt, signal);
    if (admission.state === 'denied') return denied(admission, last);
    const leftMs = Math.max(1, deadlineAt - clock.monotonicMs());
    const result = await call(attempt, leftMs).catch((error: unknown) => {
      admission.end({ kind: 'neutral' });
      throw error;
    });
    admission.end(
      result.state === 'answered'
        ? { kind: 'answered', latencyMs: result.latencyMs }
        : endOf(result),
    );
    if (result.state === 'answered') return result;
    last = result;
    if (attempt >= attemptsMax || !retried.has(result.errorClass)) return result;
  }
}

function endOf(fault: CallFault): CallEnd {
  const { errorClass, message, retryAfterMs } = fault;
  const failing = { retryAfterMs, fault: { errorClass, message } };
  if (errorClass === 'rate_limited') return { kind: 'rate_limited', ...failing };
  return endpointFaults.has(errorClass) ? { kind: 'failed', ...failing } : { kind: 'neutral' };
}

/**
 * The reason why no call was made: the fault of a failing endpoint rather than the wait that its
 * failures cause.
 */
function denied(
  { why, retryAfterMs, fault = null }: Extract<EndpointAdmission, { state: 'denied' }>,
  last: CallFault | null,
): CallFault {
  if (why === 'aborted')
    return {
      state: 'failed',
      errorClass: 'aborted',
      message: 'no longer wanted',
      retryAfterMs: null,
    };
  if (last !== null)
    return { ...last, retryAfterMs: Math.max(retryAfterMs, last.retryAfterMs ?? 0) };
  const lastFault = fault === null ? '' : `, the last time with "${fault.message}"`;
  if (why === 'breaker_open') {
    const message = `this model failed five times in a row${lastFault}: no call is made for a while`;
    return { state: 'failed', errorClass: 'breaker_open', message, retryAfterMs };
  }
  if (fault !== null) {
    const message = `the provider fails${lastFault}: it may not be called again before the deadline`;
    return { state: 'failed', errorClass: fault.errorClass, message, retryAfterMs };
  }
  const message =
    'as many calls as this provider takes at a time were under way until the deadline';
  return { state: 'failed', errorClass: 'rate_limited', message, retryAfterMs };
}
