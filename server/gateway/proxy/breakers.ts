import { type Ctx, notifyChanged } from '../../platform';
import { createSingleFlight, tellingFaults, within } from '../behind';
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

export interface EpisodeOutcome {
  readonly permit: Permit;
  readonly ok: boolean;
  /** What failed, in a few words. */
  readonly problem: string | null;
}

/**
 * One breaker for each project and verifier model, shared by all of the project's sessions (QV-33);
 * each replica has its own.
 */
export interface Breakers {
  /** True too while another call is the probe. */
  isOpen(projectId: string, spec: string): boolean;
  /**
   * Asked once for each episode; whoever is let through owes a `note` or an `abandon`, with what
   * this said.
   */
  permit(projectId: string, spec: string, settings: Limits): Permit;
  /** The one outcome of an episode (QV-35): `ok` only with a valid verdict. */
  note(projectId: string, spec: string, settings: Limits, outcome: EpisodeOutcome): void;
  /**
   * The episode came to no outcome, since the client left: if it was the probe, another call may
   * probe.
   */
  abandon(projectId: string, spec: string, permit: Permit): void;
  /** Writes what changed and takes what people reset, now. Never throws. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A reset in the console reaches every replica within a second. */
const everyMs = 500;
/** At the end of the process. */
const patienceMs = 2_000;
const problemMax = 300;

export function createBreakers(ctx: Ctx, { replica }: { readonly replica: string }): Breakers {
  const { clock, log } = ctx;
  const book = createBook();
  const exchange = createExchange(ctx, replica, book);
  const sync = createSingleFlight(
    tellingFaults(
      log,
      'the state of circuits cannot be exchanged with PostgreSQL; they go on in this process',
      exchange,
    ),
  );
  const timer = setInterval(() => void sync(), everyMs);
  timer.unref();
  return {
    isOpen: (projectId, spec) =>
      permissionOf(book.find(projectId, spec), clock.monotonicMs()) === 'open',
    permit(projectId, spec) {
      const now = clock.monotonicMs();
      const breaker = book.find(projectId, spec);
      const state = permissionOf(breaker, now);
      if (state === 'probe') book.put(projectId, spec, { ...breaker, probingSince: now });
      return { state, probe: state === 'probe' ? now : null };
    },
    note(projectId, spec, settings, { permit, ok, problem }) {
      const before = book.find(projectId, spec);
      // Almost always: nothing was wrong and nothing is.
      if (ok && before === closedBreaker) return;
      const limits = {
        maxFailures: settings.max_consecutive_failures,
        cooldownMs: settings.cooldown_seconds * 1000,
      };
      const outcome = { ok, permit, problem: problem === null ? null : storable(problem) };
      const after = afterOutcome(before, clock.monotonicMs(), limits, outcome);
      book.put(projectId, spec, after);
      const about = { projectId, model: spec, failures: after.failures, problem: after.problem };
      if (after.openUntil !== null && after.openUntil !== before.openUntil)
        log.warn(
          { ...about, cooldownSeconds: settings.cooldown_seconds },
          'the circuit of the verifier opened',
        );
      if (ok && before.openUntil !== null) log.info(about, 'the circuit of the verifier closed');
    },
    abandon(projectId, spec, permit) {
      const breaker = book.find(projectId, spec);
      if (isProbe(breaker, permit)) book.put(projectId, spec, { ...breaker, probingSince: null });
    },
    sync,
    async close() {
      clearInterval(timer);
      await within(sync(), patienceMs);
    },
  };
}

/** What a provider said may hold anything. */
function storable(problem: string): string {
  return problem.replaceAll('\0', ' ').slice(0, problemMax).toWellFormed();
}

interface Held {
  readonly projectId: string;
  readonly spec: string;
  readonly breaker: Breaker;
  /** Not yet written. */
  unwritten: boolean;
}

interface Book {
  find(projectId: string, spec: string): Breaker;
  put(projectId: string, spec: string, breaker: Breaker, unwritten?: boolean): void;
  has(projectId: string, spec: string): boolean;
  unwritten(): readonly Held[];
}

function createBook(): Book {
  const all = new Map<string, Held>();
  const keyOf = (projectId: string, spec: string): string => `${projectId} ${spec}`;
  return {
    find: (projectId, spec) => all.get(keyOf(projectId, spec))?.breaker ?? closedBreaker,
    put: (projectId, spec, breaker, unwritten = true) =>
      void all.set(keyOf(projectId, spec), { projectId, spec, breaker, unwritten }),
    has: (projectId, spec) => all.has(keyOf(projectId, spec)),
    unwritten: () => [...all.values()].filter((held) => held.unwritten),
  };
}

/** One exchange with PostgreSQL. @throws on faults of storage; nothing is lost then */
function createExchange(ctx: Ctx, replica: string, book: Book): () => Promise<void> {
  let cursor: string | null = null;
  /** The last that was taken of each, by when it was asked for. */
  const resets = new Map<string, string>();
  return async () => {
    const now = ctx.clock.monotonicMs();
    const changed = book.unwritten();
    for (const held of changed) held.unwritten = false;
    try {
      const found = await exchangeBreakers(ctx, {
        replica,
        cursor,
        changed: changed.map((held) => rowOf(held, now)),
      });
      for (const { projectId, spec, resetAt } of found.reset) {
        const key = `${projectId} ${spec}`;
        if (resets.get(key) === resetAt) continue;
        resets.set(key, resetAt);
        if (book.find(projectId, spec) === closedBreaker) continue;
        ctx.log.info({ projectId, model: spec }, 'the circuit of the verifier was reset');
        book.put(projectId, spec, closedBreaker);
      }
      for (const { projectId, spec, failures, openForMs, problem } of found.kept) {
        if (book.has(projectId, spec)) continue;
        book.put(
          projectId,
          spec,
          { failures, openUntil: now + openForMs, probingSince: null, problem },
          false,
        );
      }
      ({ cursor } = found);
      for (const { projectId } of changed) notifyChanged(ctx, projectId, 'gateway');
    } catch (error) {
      for (const held of changed) held.unwritten = true;
      throw error;
    }
  };
}

function rowOf({ projectId, spec, breaker }: Held, now: number): BreakerRow {
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
