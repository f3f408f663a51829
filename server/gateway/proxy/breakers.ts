import { type Ctx, notifyChanged } from '../../platform';
import { createSingleFlight, createFaultLog, waitAtMost } from '../background';
import type { QualityVerifierSettings } from '../input';
import {
  afterOutcome,
  type Breaker,
  closedBreaker,
  isProbe,
  type Permit,
  permissionOf,
} from './breaker';
import { type BreakerRow, exchangeBreakers } from './exchange-breakers';

type Limits = Pick<QualityVerifierSettings, 'max_consecutive_failures' | 'cooldown_seconds'>;

export interface VerificationOutcome {
  readonly permit: Permit;
  readonly ok: boolean;
  /** The failure, in a few words. */
  readonly problem: string | null;
}

/**
 * One breaker per project and verifier model, shared by the project's sessions (QV-33). Each
 * replica has its own.
 */
export interface Breakers {
  /** Also true while another call probes. */
  isOpen(projectId: string, spec: string): boolean;
  /** Call once per verification, and pass the permit to `note` or `abandon` at its end. */
  permit(projectId: string, spec: string, settings: Limits): Permit;
  /** Records the outcome of a verification (QV-35); `ok` only with a valid verdict. */
  note(projectId: string, spec: string, settings: Limits, outcome: VerificationOutcome): void;
  /**
   * The verification had no outcome, since the client disconnected. If it was the probe, another
   * call may probe.
   */
  abandon(projectId: string, spec: string, permit: Permit): void;
  /** Writes changes and applies resets now. Never throws. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A reset in the console reaches every replica within a second. */
const everyMs = 500;
/** Time limit of the last write at shutdown. */
const patienceMs = 2_000;
const problemMax = 300;

export function createBreakers(ctx: Ctx, { replica }: { readonly replica: string }): Breakers {
  const { clock, log } = ctx;
  const table = createBreakerTable();
  const exchange = createExchange(ctx, replica, table);
  const sync = createSingleFlight(
    createFaultLog(
      log,
      'circuit states cannot be exchanged with PostgreSQL; circuits continue in this process',
      exchange,
    ),
  );
  const timer = setInterval(() => void sync(), everyMs);
  timer.unref();
  return {
    isOpen: (projectId, spec) =>
      permissionOf(table.find(projectId, spec), clock.monotonicMs()) === 'open',
    permit(projectId, spec) {
      const now = clock.monotonicMs();
      const breaker = table.find(projectId, spec);
      const state = permissionOf(breaker, now);
      if (state === 'probe') table.put(projectId, spec, { ...breaker, probingSince: now });
      return { state, probe: state === 'probe' ? now : null };
    },
    note(projectId, spec, settings, { permit, ok, problem }) {
      const before = table.find(projectId, spec);
      // The common case: no failure before or now.
      if (ok && before === closedBreaker) return;
      const limits = {
        maxFailures: settings.max_consecutive_failures,
        cooldownMs: settings.cooldown_seconds * 1000,
      };
      const outcome = { ok, permit, problem: problem === null ? null : storable(problem) };
      const after = afterOutcome(before, clock.monotonicMs(), limits, outcome);
      table.put(projectId, spec, after);
      const about = { projectId, model: spec, failures: after.failures, problem: after.problem };
      if (after.openUntil !== null && after.openUntil !== before.openUntil)
        log.warn(
          { ...about, cooldownSeconds: settings.cooldown_seconds },
          'the circuit of the verifier opened',
        );
      if (ok && before.openUntil !== null) log.info(about, 'the circuit of the verifier closed');
    },
    abandon(projectId, spec, permit) {
      const breaker = table.find(projectId, spec);
      if (isProbe(breaker, permit)) table.put(projectId, spec, { ...breaker, probingSince: null });
    },
    sync,
    async close() {
      clearInterval(timer);
      await waitAtMost(sync(), patienceMs);
    },
  };
}

/** A provider's message may contain NUL or lone surrogates, which PostgreSQL rejects. */
function storable(problem: string): string {
  return problem.replaceAll('\0', ' ').slice(0, problemMax).toWellFormed();
}

interface BreakerEntry {
  readonly projectId: string;
  readonly spec: string;
  readonly breaker: Breaker;
  /** Not yet stored. */
  unwritten: boolean;
}

interface BreakerTable {
  find(projectId: string, spec: string): Breaker;
  put(projectId: string, spec: string, breaker: Breaker, unwritten?: boolean): void;
  has(projectId: string, spec: string): boolean;
  unwritten(): readonly BreakerEntry[];
}

function createBreakerTable(): BreakerTable {
  const all = new Map<string, BreakerEntry>();
  const keyOf = (projectId: string, spec: string): string => `${projectId} ${spec}`;
  return {
    find: (projectId, spec) => all.get(keyOf(projectId, spec))?.breaker ?? closedBreaker,
    put: (projectId, spec, breaker, unwritten = true) =>
      void all.set(keyOf(projectId, spec), { projectId, spec, breaker, unwritten }),
    has: (projectId, spec) => all.has(keyOf(projectId, spec)),
    unwritten: () => [...all.values()].filter((entry) => entry.unwritten),
  };
}

/** One exchange with PostgreSQL. @throws on storage errors, without losing changes */
function createExchange(ctx: Ctx, replica: string, table: BreakerTable): () => Promise<void> {
  let cursor: string | null = null;
  /** The last applied reset of each breaker, by its time. */
  const resets = new Map<string, string>();
  return async () => {
    const now = ctx.clock.monotonicMs();
    const changed = table.unwritten();
    for (const entry of changed) entry.unwritten = false;
    try {
      const found = await exchangeBreakers(ctx, {
        replica,
        cursor,
        changed: changed.map((entry) => rowOf(entry, now)),
      });
      for (const { projectId, spec, resetAt } of found.reset) {
        const key = `${projectId} ${spec}`;
        if (resets.get(key) === resetAt) continue;
        resets.set(key, resetAt);
        if (table.find(projectId, spec) === closedBreaker) continue;
        ctx.log.info({ projectId, model: spec }, 'the circuit of the verifier was reset');
        table.put(projectId, spec, closedBreaker);
      }
      for (const { projectId, spec, failures, openForMs, problem } of found.openBreakers) {
        if (table.has(projectId, spec)) continue;
        table.put(
          projectId,
          spec,
          { failures, openUntil: now + openForMs, probingSince: null, problem },
          false,
        );
      }
      ({ cursor } = found);
      for (const { projectId } of changed) notifyChanged(ctx, projectId, 'gateway');
    } catch (error) {
      for (const entry of changed) entry.unwritten = true;
      throw error;
    }
  };
}

function rowOf({ projectId, spec, breaker }: BreakerEntry, now: number): BreakerRow {
  const { failures, openUntil, probingSince, problem } = breaker;
  const state = openUntil === null ? 'closed' : probingSince === null ? 'open' : 'probing';
  return {
    project_id: projectId,
    model: spec,
    state,
    failures,
    open_for_ms: openUntil === null ? null : openUntil - now,
    problem,
  };
}
