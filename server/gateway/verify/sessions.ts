import { hasUnstorableText } from '../../domain';
import { type Clock, sha256 } from '../../platform';
import { FairLru } from '../fair-lru';
import type { QualityVerifierSettings } from '../input';
import {
  adoptStored,
  atEpoch,
  type CounterRow,
  type CounterRows,
  mergeRows,
  findDuplicates,
  counterTotal,
  withoutDuplicates,
  withRequest,
} from './counter';

/** How often the answers of a session are verified; without a model nothing is counted. */
export type CountingSettings = Pick<
  QualityVerifierSettings,
  'model' | 'frequency' | 'tool_followup_weight' | 'min_eligible_turn'
>;

/** One answered model call. */
export interface CountedCall {
  readonly projectId: string;
  readonly sessionId: string;
  /** The same id with the same body is a retry and counts once. Null if unknown. */
  readonly clientRequestId: string | null;
  /**
   * As the client sent it. A proxy in front of the gateway may use one request id for all calls of
   * a task.
   */
  readonly body?: Buffer;
  readonly settings: CountingSettings;
  readonly toolFollowup: boolean;
  /**
   * User messages in the request: the initial count of a session whose stored counter is invalid
   * (QV-8).
   */
  readonly userMessages?: number;
}

/** In thousandths of a turn: the units of the call and the session's counter including it. */
export interface Advanced {
  readonly units: number;
  readonly counter: number;
  /** Whether to verify this answer (QV-6). */
  readonly shouldVerify: boolean;
}

export interface SessionName {
  readonly projectId: string;
  readonly sessionId: string;
}

/** A session in the memory of this process. */
export interface SessionState extends SessionName {
  own: CounterRow;
  /** Rows of other replicas; null if unknown. */
  others: CounterRows | null;
  /** The stored rows have been read. */
  read: boolean;
  /**
   * Until the stored rows are read: true if `own` continues the stored row as recorded in the
   * journal, false if it counts from 0.
   */
  readonly journalled: boolean;
  /** Restored from the journal of an earlier process. */
  restored: boolean;
  readonly storable: boolean;
  /** Verifications in progress. */
  running: readonly RunningVerification[];
  /** No valid counter is known: the next call sets an initial one. */
  missing: boolean;
  /** Changed since it was last stored in PostgreSQL. */
  unwritten: boolean;
  /** Changed since it was last written to the journal. */
  unjournalled: boolean;
}

interface RunningVerification {
  /** The session's epoch at the start; a verification of an earlier epoch no longer counts. */
  readonly epoch: number;
  /** Expires if it is never ended; milliseconds of the monotonic clock. */
  readonly until: number;
  /** The request had already been counted. */
  readonly isRetry: boolean;
}

export interface EndedSession extends SessionName {
  readonly version: number;
}

/** Maximum number of sessions in the memory of one process (QV-3). */
export const sessionsMax = 10_000;
const requestsMax = 20_000;
/** Maximum characters of a session's name; longer names do not fit into an index. */
const storableMax = 600;
const turn = 1000;
/** Upper limit of the duration of a verification. */
const verificationMaxMs = 600_000;

/**
 * Counters in memory: synchronous, bounded, without storage. Evicts the least recently used session
 * of the project that has the most.
 */
export class Sessions {
  private readonly sessions: FairLru<SessionState>;
  private readonly seen = new Set<string>();
  private ended: EndedSession[] = [];
  private version = 0;

  constructor(
    private readonly clock: Clock,
    private readonly replica: string,
    capacity = sessionsMax,
  ) {
    this.sessions = new FairLru(capacity);
  }

  get size(): number {
    return this.sessions.size;
  }

  advance(call: CountedCall): Advanced {
    const { settings } = call;
    if (settings.model === null) return { units: 0, counter: 0, shouldVerify: false };
    const session = this.touch(call);
    const hash = call.clientRequestId === null ? null : requestHash(call, call.clientRequestId);
    const isRetry = hash !== null && this.isCounted(session, hash);
    const units = isRetry ? 0 : unitsOf(settings, call.toolFollowup);
    if (session.missing) {
      session.missing = false;
      session.own = {
        ...session.own,
        units: session.own.units + Math.max(0, (call.userMessages ?? 0) - 1) * turn,
      };
    }
    if (units > 0) {
      const { epoch } = currentTotal(session);
      const own = session.own.epoch === epoch ? session.own : atEpoch(session.own, 0, epoch);
      this.change(session, withRequest(own, this.nextVersion(), units, hash));
      if (hash !== null) this.remember(hash);
    }
    const now = currentTotal(session);
    const underWay = isRetry
      ? 0
      : this.runningInEpoch(session, now.epoch).filter((hold) => !hold.isRetry).length;
    const shouldVerify = !call.toolFollowup && reachesFrequency(now, settings, underWay);
    if (shouldVerify)
      session.running = [
        ...session.running,
        { epoch: now.epoch, until: this.clock.monotonicMs() + verificationMaxMs, isRetry },
      ];
    return { units, counter: now.units, shouldVerify };
  }

  /** The verification of an answer ended, regardless of the result. */
  endVerification(name: SessionName): void {
    const session = this.find(name);
    if (session === undefined) return;
    // Removes the entry of a retry first: its turn counts as being verified until both have ended.
    const at = Math.max(
      0,
      session.running.findIndex(({ isRetry }) => isRetry),
    );
    session.running = session.running.toSpliced(at, 1);
  }

  /** A verification completed: the session counts from 0 (QV-9). */
  reset(name: SessionName): void {
    const session = this.touch(name);
    this.change(session, atEpoch(session.own, this.nextVersion(), currentTotal(session).epoch + 1));
  }

  find(name: SessionName): SessionState | undefined {
    return this.sessions.get(name.projectId, name.sessionId);
  }

  all(): Iterable<SessionState> {
    return this.sessions.values();
  }

  /** Sessions evicted since the last call. */
  drainEnded(): readonly EndedSession[] {
    const { ended } = this;
    this.ended = [];
    return ended;
  }

  /** @param own null if the journal's numbers are invalid. `counts`: as in `Journalled` */
  restore(name: SessionName, own: CounterRow | null, counts: 'stored' | 'zero'): void {
    const session = this.open(name, counts === 'stored');
    session.restored = true;
    if (own === null) session.missing = true;
    else session.own = own;
    session.unwritten = own !== null;
    this.version = Math.max(this.version, session.own.version);
  }

  /** Adopts the stored rows of a session, read for the first time. */
  takeStored(session: SessionState, rows: CounterRows, isMissing: boolean): void {
    session.read = true;
    const stored = rows.get(this.replica);
    const { version } = session.own;
    this.version = Math.max(this.version, stored?.version ?? 0);
    if (version === 0) session.missing = stored === undefined && (session.missing || isMissing);
    // The stored row is newer only if the end of the journal was lost. No other row includes this
    // process's counts from before the read.
    if (stored !== undefined && (version === 0 || (session.restored && stored.version >= version)))
      session.own = stored;
    else if (version > 0 && !session.journalled)
      this.change(session, adoptStored(session.own, rows, this.nextVersion()));
    this.mergeOthers(session, rows);
  }

  /** Merges rows of other replicas, and subtracts requests that they had counted before. */
  mergeOthers(session: SessionState, rows: CounterRows): void {
    const others = new Map([...rows].filter(([replica]) => replica !== this.replica));
    if (others.size === 0) return;
    session.others = session.others === null ? others : mergeRows(session.others, others);
    const duplicates = findDuplicates(rowsOf(session)).flatMap(({ replica, request }) =>
      replica === this.replica ? [request] : [],
    );
    if (duplicates.length > 0)
      this.change(session, withoutDuplicates(session.own, this.nextVersion(), duplicates));
  }

  private touch(name: SessionName): SessionState {
    return this.sessions.touch(name.projectId, name.sessionId) ?? this.open(name, false);
  }

  private open({ projectId, sessionId }: SessionName, journalled: boolean): SessionState {
    const own: CounterRow = { replica: this.replica, epoch: 0, version: 0, units: 0, recent: [] };
    // Names that PostgreSQL cannot store stay in memory.
    const read = sessionId.length > storableMax || hasUnstorableText(sessionId);
    const flags = {
      read,
      storable: !read,
      journalled,
      restored: false,
      missing: false,
      unwritten: false,
      unjournalled: false,
    };
    const session: SessionState = {
      projectId,
      sessionId,
      own,
      others: null,
      running: [],
      ...flags,
    };
    const evicted = this.sessions.set(projectId, sessionId, session);
    // Bounded for long outages; a row that is left in storage is harmless.
    if (evicted?.storable === true && this.ended.length < 5 * sessionsMax)
      this.ended.push({
        projectId: evicted.projectId,
        sessionId: evicted.sessionId,
        version: evicted.own.version,
      });
    return session;
  }

  /** The verifications of this epoch; drops expired ones. */
  private runningInEpoch(session: SessionState, epoch: number): readonly RunningVerification[] {
    if (session.running.length === 0) return session.running;
    const now = this.clock.monotonicMs();
    session.running = session.running.filter(({ until }) => until > now);
    return session.running.filter((hold) => hold.epoch === epoch);
  }

  private change(session: SessionState, own: CounterRow): void {
    session.own = own;
    session.unwritten = true;
    session.unjournalled = true;
  }

  /**
   * Whether this process counted the request recently, or any replica did according to its rows.
   */
  private isCounted(session: SessionState, hash: string): boolean {
    if (this.seen.has(hash)) return true;
    return rowsOf(session).some(({ recent }) => recent.some((request) => request.hash === hash));
  }

  private remember(hash: string): void {
    if (this.seen.size >= requestsMax) this.seen.delete(this.seen.values().next().value ?? '');
    this.seen.add(hash);
  }

  /**
   * A version higher than any before, even after a restart, so that the row of a session that was
   * evicted and restored is the newer one. Each millisecond allows a thousand changes, so the
   * versions of a busy process do not run ahead of the clock.
   */
  private nextVersion(): number {
    this.version = Math.max(this.version + 1, this.clock.now().getTime() * 1000);
    return this.version;
  }
}

function rowsOf({ own, others }: SessionState): readonly CounterRow[] {
  return others === null ? [own] : [own, ...others.values()];
}

function currentTotal(session: SessionState): { readonly epoch: number; readonly units: number } {
  return session.others === null ? session.own : counterTotal(rowsOf(session));
}

/** The client's id is neither stored nor compared in plain text. */
function requestHash({ projectId, sessionId, body }: CountedCall, clientRequestId: string): string {
  return sha256(
    `${projectId}\n${sessionId}\n${clientRequestId}\n${body === undefined ? '' : sha256(body)}`,
  ).slice(0, 16);
}

/** A tool follow-up counts as a fraction of a turn (QV-5). */
function unitsOf(
  { tool_followup_weight: weight }: CountingSettings,
  toolFollowup: boolean,
): number {
  return toolFollowup ? Math.round(Math.min(1, Math.max(0, weight)) * turn) : turn;
}

/**
 * Whether N turns have passed since the last verification (QV-6), plus N for each verification in
 * progress: verifications of concurrent calls are also N turns apart, and with N = 1 each call is
 * verified. The exempt turns at the start of a session (QV-7) end with its first verification.
 */
function reachesFrequency(
  { epoch, units }: { readonly epoch: number; readonly units: number },
  { frequency, min_eligible_turn: first }: CountingSettings,
  underWay: number,
): boolean {
  const turns = Math.floor(units / turn);
  return turns >= frequency * (underWay + 1) && (epoch > 0 || turns >= first);
}
