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
export type CallEnd =
  | { readonly kind: 'answered'; readonly latencyMs: number }
  | { readonly kind: 'neutral' }
  | Failing;

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
  | { readonly state: 'admitted'; readonly end: (outcome: CallEnd) => void }
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
  /** Whether the limit was ever lowered: it then rises slowly. */
  isCautious: boolean;
  /** The time of a call, and of a call that started with at most `initialLimit` of them running. */
  readonly usual: Average;
  readonly baseline: Average;
  /** Failures since the last answer. */
  failures: number;
  startedAt: number;
  /** When the last call failed, and when the limit was last halved; monotonic, milliseconds. */
  failedAt: number;
  halvedAt: number;
  notBefore: number;
  fault: LastFault | null;
  readonly waiting: Set<AbortController>;
}

/** A moving average in milliseconds, with its number of values. */
interface Average {
  ms: number;
  count: number;
}

interface Breaker {
  failures: number;
  fault: LastFault | null;
  /** Null if closed. */
  openUntil: number | null;
  probing: boolean;
}

/** Concurrent calls to an endpoint about which nothing is known. */
const initialLimit = 8;
const maxLimit = 64;
/** The limit does not rise before this many calls have been timed. */
const minTimed = 16;
/** The weight of the newest call in a moving average. */
const newestWeight = 1 / 32;
/** Above this multiple of the baseline the endpoint queues calls: more at once would gain nothing. */
const queueingFactor = 1.5;
const fallStep = 0.25;
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
 * up to a minute, plus jitter. The number of concurrent calls starts at 8, rises to 64 while latency
 * stays near its baseline, and is halved by a rate limit. After five consecutive failures the model's
 * breaker opens: no calls for 5 s, then one probe, whose result closes or reopens it.
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
  const call = { startedAt: state.clock.monotonicMs(), atStart: endpoint.active };
  endpoint.startedAt = call.startedAt;
  let ended = false;
  const end = (outcome: CallEnd): void => {
    if (ended) return;
    ended = true;
    const wasFull = endpoint.active >= Math.floor(endpoint.limit);
    endpoint.active--;
    if (probed !== null) probed.probing = false;
    if (outcome.kind === 'answered')
      recordAnswer(state, key, endpoint, { ...call, latencyMs: outcome.latencyMs, wasFull });
    else if (outcome.kind !== 'neutral')
      recordFailure(state, key, endpoint, { ...outcome, ...call });
    for (const waiter of endpoint.waiting) waiter.abort();
    const well = endpoint.failures === 0 && endpoint.limit >= initialLimit;
    if (well && endpoint.active === 0 && endpoint.waiting.size === 0)
      state.endpoints.delete(key.endpoint);
  };
  return { state: 'admitted', end };
}

interface StartedCall {
  readonly startedAt: number;
  /** How many calls ran, including this one. */
  readonly atStart: number;
}

interface Answer extends StartedCall {
  readonly latencyMs: number;
  /** Whether as many calls ran as the limit allows. */
  readonly wasFull: boolean;
}

function recordAnswer({ breakers }: State, key: CallKey, endpoint: Endpoint, answer: Answer): void {
  // A call that started before a failure does not show that the endpoint has recovered.
  if (answer.startedAt < endpoint.failedAt) return;
  breakers.delete(breakerKey(key));
  endpoint.failures = 0;
  endpoint.fault = null;
  endpoint.notBefore = 0;
  addTo(endpoint.usual, answer.latencyMs);
  if (answer.atStart <= initialLimit) addTo(endpoint.baseline, answer.latencyMs);
  adjustLimit(endpoint, answer.wasFull);
}

function addTo(average: Average, ms: number): void {
  average.count++;
  average.ms += (ms - average.ms) * Math.max(newestWeight, 1 / average.count);
}

/**
 * Raises the limit by one for each answer, and once it was lowered, by one for each
 * `limit` answers. Above `initialLimit` it rises only while all calls that it allows are running, and
 * falls while calls take longer than the baseline.
 */
function adjustLimit(endpoint: Endpoint, wasFull: boolean): void {
  const { limit, isCautious, usual, baseline } = endpoint;
  const step = isCautious ? 1 / limit : 1;
  if (limit < initialLimit) endpoint.limit = Math.min(initialLimit, limit + step);
  else if (baseline.count < minTimed) return;
  else if (usual.ms > queueingFactor * baseline.ms) {
    endpoint.isCautious = true;
    endpoint.limit = Math.max(initialLimit, limit - fallStep);
  } else if (wasFull) endpoint.limit = Math.min(maxLimit, limit + step);
}

function recordFailure(
  { clock, random, breakers }: State,
  key: CallKey,
  endpoint: Endpoint,
  outcome: Failing & StartedCall,
): void {
  const now = clock.monotonicMs();
  endpoint.failures++;
  endpoint.isCautious = true;
  endpoint.failedAt = now;
  endpoint.fault = outcome.fault ?? null;
  const backoff = Math.min(backoffMaxMs, failingPaceMs * 2 ** (endpoint.failures - 1));
  const pause = Math.max(
    failingPaceMs,
    outcome.retryAfterMs === null ? backoff : Math.min(outcome.retryAfterMs, retryAfterMaxMs),
  );
  endpoint.notBefore = Math.max(endpoint.notBefore, now + pause * (1 + random() / 4));
  const known = breakers.get(breakerKey(key));
  if (outcome.kind === 'rate_limited') {
    // Calls that started together are refused together, which is one overload.
    if (outcome.startedAt >= endpoint.halvedAt) {
      endpoint.halvedAt = now;
      endpoint.limit = Math.max(1, Math.floor(endpoint.limit / 2));
    }
    // A probe that is rate-limited does not show that the model has recovered.
    if (known?.openUntil != null) known.openUntil = endpoint.notBefore;
    return;
  }
  endpoint.limit = Math.min(initialLimit, endpoint.limit);
  const breaker = known ?? { failures: 0, fault: null, openUntil: null, probing: false };
  breaker.failures++;
  breaker.fault = outcome.fault ?? null;
  if (breaker.failures >= breakerFailures) breaker.openUntil = now + breakerOpenMs;
  breakers.set(breakerKey(key), breaker);
}

function endpointOf({ endpoints }: State, { endpoint: name }: CallKey): Endpoint {
  let known = endpoints.get(name);
  if (known === undefined) {
    known = {
      active: 0,
      limit: initialLimit,
      isCautious: false,
      usual: { ms: 0, count: 0 },
      baseline: { ms: 0, count: 0 },
      failures: 0,
      startedAt: Number.NEGATIVE_INFINITY,
      failedAt: Number.NEGATIVE_INFINITY,
      halvedAt: Number.NEGATIVE_INFINITY,
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
