import { setTimeout as delay } from 'node:timers/promises';
import type { AskErrorClass } from '../../domain';
import type { Clock } from '../../platform';

/**
 * The target of a call: the endpoint is a provider of a project (or the operator's), the model one
 * of its models.
 */
export interface CallKey {
  readonly endpoint: string;
  readonly model: string;
}

/**
 * How a call ended, which sets the pace of later calls. `neutral`: no information about the
 * endpoint.
 */
export type CallEnd = { readonly kind: 'answered' } | { readonly kind: 'neutral' } | Failing;

interface Failing {
  readonly kind: 'rate_limited' | 'failed';
  readonly retryAfterMs: number | null;
  /** The provider's answer: the reason for denying later calls. */
  readonly fault?: LastFault;
}

/** The last failure of an endpoint since its last answer. */
interface LastFault {
  readonly errorClass: AskErrorClass;
  readonly message: string;
}

export type EndpointAdmission =
  | { readonly state: 'admitted'; readonly end: (how: CallEnd) => void }
  | {
      readonly state: 'denied';
      readonly why: 'breaker_open' | 'busy' | 'aborted';
      readonly retryAfterMs: number;
      readonly fault?: LastFault | null;
    };

/** Admission control for calls, one per process. */
export interface Endpoints {
  /**
   * Waits for a slot until `deadlineAt` (monotonic ms); denies at once if none can become free by
   * then.
   */
  admit(key: CallKey, deadlineAt: number, signal: AbortSignal): Promise<EndpointAdmission>;
}

interface EndpointDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Ends early, without throwing, when the signal fires. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

interface Endpoint {
  active: number;
  /** Maximum concurrent calls. */
  limit: number;
  /** Whether a call has failed: the limit then rises slowly. */
  hasFailed: boolean;
  /** Moving average of the time of a call, in milliseconds; null before the first answer. */
  usualMs: number | null;
  /** The same while at most `limitFirst` calls ran at once. */
  firstMs: number;
  /** Failures since the last answer. */
  failures: number;
  startedAt: number;
  notBefore: number;
  fault: LastFault | null;
  readonly waiting: Set<AbortController>;
}

interface Breaker {
  failures: number;
  fault: LastFault | null;
  /** Null: closed. */
  openUntil: number | null;
  probing: boolean;
}

/** Concurrent calls to an endpoint about which nothing is known. */
const limitFirst = 8;
const limitMax = 64;
/** Above this multiple of `firstMs` the endpoint queues calls: more at once would gain nothing. */
const queueingFactor = 1.5;
/** The weight of a new call in the moving average, as in RFC 6298. */
const newWeight = 1 / 8;
/** Minimum interval between calls to a failing endpoint. */
const failingPaceMs = 1000;
const backoffMaxMs = 30_000;
/** Maximum wait that a provider may demand; 10^9 seconds is not honoured. */
const retryAfterMaxMs = 60_000;
const breakerFailures = 5;
const breakerOpenMs = 5000;

const waitByTimer = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

interface State {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly random: () => number;
  readonly endpoints: Map<string, Endpoint>;
  readonly breakers: Map<string, Breaker>;
}

/**
 * Paces calls by endpoint and breaks the circuit by model. A failing endpoint
 * gets at most one call a second, and fewer while it keeps failing; its `Retry-After` is honoured
 * up to a minute, plus jitter. The number of concurrent calls starts at 8, rises to 64 while calls
 * take no longer, and is halved by a rate limit. After five consecutive failures the model's breaker opens: no calls
 * for 5 s, then one probe, whose result closes or reopens it.
 */
export function createEndpoints({
  clock,
  wait = waitByTimer,
  random = Math.random,
}: EndpointDeps): Endpoints {
  const state: State = { clock, random, endpoints: new Map(), breakers: new Map() };
  return {
    async admit(key, deadlineAt, signal) {
      for (;;) {
        if (signal.aborted) return { state: 'denied', why: 'aborted', retryAfterMs: 0 };
        const now = clock.monotonicMs();
        const breaker = state.breakers.get(breakerKey(key));
        if (breaker?.openUntil != null && (breaker.probing || now < breaker.openUntil)) {
          const retryAfterMs = Math.max(failingPaceMs, breaker.openUntil - now);
          return { state: 'denied', why: 'breaker_open', retryAfterMs, fault: breaker.fault };
        }
        const endpoint = endpointOf(state, key);
        const full = endpoint.active >= Math.floor(endpoint.limit);
        // The breaker alone paces probes: earlier failures of the endpoint must not delay them.
        const notBefore = breaker?.openUntil != null ? 0 : endpoint.notBefore;
        const paced = endpoint.failures > 0 ? endpoint.startedAt + failingPaceMs : 0;
        const pauseMs = Math.max(0, notBefore - now, paced - now);
        if (!full && pauseMs === 0) return startCall(state, key, endpoint);
        if (now + pauseMs >= deadlineAt) {
          return {
            state: 'denied',
            why: 'busy',
            retryAfterMs: Math.max(pauseMs, failingPaceMs),
            fault: endpoint.fault,
          };
        }
        const waiter = new AbortController();
        endpoint.waiting.add(waiter);
        await wait(full ? deadlineAt - now : pauseMs, AbortSignal.any([signal, waiter.signal]));
        endpoint.waiting.delete(waiter);
      }
    },
  };
}

/** Takes a slot; the returned function releases it once. */
function startCall(state: State, key: CallKey, endpoint: Endpoint): EndpointAdmission {
  const breaker = state.breakers.get(breakerKey(key));
  const probed = breaker?.openUntil == null ? null : breaker;
  if (probed !== null) probed.probing = true;
  endpoint.active++;
  const startedAt = state.clock.monotonicMs();
  endpoint.startedAt = startedAt;
  let ended = false;
  const end = (how: CallEnd): void => {
    if (ended) return;
    ended = true;
    const wasFull = endpoint.active >= Math.floor(endpoint.limit);
    endpoint.active--;
    if (probed !== null) probed.probing = false;
    if (how.kind === 'answered')
      noteAnswer(state, key, endpoint, { tookMs: state.clock.monotonicMs() - startedAt, wasFull });
    else if (how.kind !== 'neutral') noteFailure(state, key, endpoint, how);
    for (const waiter of endpoint.waiting) waiter.abort();
    const well = endpoint.failures === 0 && endpoint.limit === limitFirst;
    if (well && endpoint.active === 0 && endpoint.waiting.size === 0)
      state.endpoints.delete(key.endpoint);
  };
  return { state: 'admitted', end };
}

function noteAnswer(
  { breakers }: State,
  key: CallKey,
  endpoint: Endpoint,
  { tookMs, wasFull }: { readonly tookMs: number; readonly wasFull: boolean },
): void {
  breakers.delete(breakerKey(key));
  endpoint.failures = 0;
  endpoint.fault = null;
  endpoint.notBefore = 0;
  const usualMs = endpoint.usualMs ?? tookMs;
  endpoint.usualMs = usualMs + newWeight * (tookMs - usualMs);
  if (endpoint.limit <= limitFirst) endpoint.firstMs = endpoint.usualMs;
  raiseLimit(endpoint, wasFull);
}

/**
 * Raises the limit by one for each answer, and after a failure by one for as many answers as run at
 * once. Beyond `limitFirst` only while all places are taken, and while calls take no longer than
 * before: an endpoint that queues calls would answer none of them sooner.
 */
function raiseLimit(endpoint: Endpoint, wasFull: boolean): void {
  const { limit, hasFailed, usualMs, firstMs } = endpoint;
  if (limit >= limitFirst && (!wasFull || (usualMs ?? 0) > queueingFactor * firstMs)) return;
  const most = limit < limitFirst ? limitFirst : limitMax;
  endpoint.limit = Math.min(most, limit + (hasFailed ? 1 / limit : 1));
}

function noteFailure(
  { clock, random, breakers }: State,
  key: CallKey,
  endpoint: Endpoint,
  how: Failing,
): void {
  const now = clock.monotonicMs();
  endpoint.failures++;
  endpoint.hasFailed = true;
  endpoint.fault = how.fault ?? null;
  const backoff = Math.min(backoffMaxMs, failingPaceMs * 2 ** (endpoint.failures - 1));
  const pause = Math.max(
    failingPaceMs,
    how.retryAfterMs === null ? backoff : Math.min(how.retryAfterMs, retryAfterMaxMs),
  );
  endpoint.notBefore = Math.max(endpoint.notBefore, now + pause * (1 + random() / 4));
  const known = breakers.get(breakerKey(key));
  if (how.kind === 'rate_limited') {
    endpoint.limit = Math.max(1, Math.floor(endpoint.limit / 2));
    // A probe that is rate-limited does not show that the model has recovered.
    if (known?.openUntil != null) known.openUntil = endpoint.notBefore;
    return;
  }
  endpoint.limit = Math.min(limitFirst, endpoint.limit);
  const breaker = known ?? { failures: 0, fault: null, openUntil: null, probing: false };
  breaker.failures++;
  breaker.fault = how.fault ?? null;
  if (breaker.failures >= breakerFailures) breaker.openUntil = now + breakerOpenMs;
  breakers.set(breakerKey(key), breaker);
}

function endpointOf({ endpoints }: State, { endpoint: name }: CallKey): Endpoint {
  let known = endpoints.get(name);
  if (known === undefined) {
    known = {
      active: 0,
      limit: limitFirst,
      hasFailed: false,
      usualMs: null,
      firstMs: 0,
      failures: 0,
      startedAt: Number.NEGATIVE_INFINITY,
      notBefore: 0,
      fault: null,
      waiting: new Set(),
    };
    endpoints.set(name, known);
  }
  return known;
}

function breakerKey({ endpoint, model }: CallKey): string {
  return `${endpoint} ${model}`;
}
