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
  countedTwice,
  standingOf,
  withoutCountedTwice,
  withRequest,
} from './counter';

/** One call that a model answered. */
export interface CountedCall {
  readonly projectId: string;
  readonly sessionId: string;
  /**
   * With the same body it is the same request, sent again: it counts once. Null: not known.
   */
  readonly clientRequestId: string | null;
  /** As the client sent it: what precedes us may give one id to all calls of a task. */
  readonly body?: Buffer;
  readonly settings: QualityVerifierSettings;
  readonly toolFollowup: boolean;
  /**
   * Messages of the user in the request: what a session begins with whose stored counter is no
   * number (QV-8).
   */
  readonly userMessages?: number;
}

/** In thousandths of a turn: what the call counted, and where its session is with it. */
export interface Advanced {
  readonly units: number;
  readonly counter: number;
  /** This answer is to be verified (QV-6). */
  readonly due: boolean;
}

export interface SessionName {
  readonly projectId: string;
  readonly sessionId: string;
}

/** A session as this process holds it. */
export interface SessionState extends SessionName {
  own: CounterRow;
  /** Of other replicas; null: none is known. */
  others: CounterRows | null;
  /** What was stored of it has been read. */
  read: boolean;
  /**
   * Until it is read, `own` goes on from what was stored, as the journal had it; else it counts
   * from 0.
   */
  readonly journalled: boolean;
  /** The journal of an earlier process had it. */
  restored: boolean;
  readonly storable: boolean;
  /** Answers that are being verified now. */
  holds: readonly Hold[];
  /** What was stored is no number. */
  missing: boolean;
  /** Not yet in PostgreSQL, not yet in the journal. */
  unwritten: boolean;
  unjournalled: boolean;
}

interface Hold {
  /** Of the session, when it was told due: what came before a verification counts no more. */
  readonly epoch: number;
  /** In case no one ends it; milliseconds of the monotonic clock. */
  readonly until: number;
  /** Of a request that was counted before. */
  readonly again: boolean;
}

export interface Ended extends SessionName {
  readonly version: number;
}

/** Sessions whose counters a process holds (QV-3). */
export const sessionsMax = 10_000;
const requestsMax = 20_000;
/** Characters of a session's name; longer ones fit no index. */
const storableMax = 600;
const turn = 1000;
/** No answer is held for so long. */
const holdMs = 600_000;

/**
 * Counters in memory: synchronous, bounded, and knowing nothing of stores. The least recently used
 * session of the project that has most is given up.
 */
export class Sessions {
  private readonly held: FairLru<SessionState>;
  private readonly seen = new Set<string>();
  private ended: Ended[] = [];
  private version = 0;

  constructor(
    private readonly clock: Clock,
    private readonly replica: string,
    capacity = sessionsMax,
  ) {
    this.held = new FairLru(capacity);
  }

  get size(): number {
    return this.held.size;
  }

  advance(call: CountedCall): Advanced {
    const { settings } = call;
    if (settings.model === null) return { units: 0, counter: 0, due: false };
    const session = this.touch(call);
    const hash = call.clientRequestId === null ? null : requestHash(call, call.clientRequestId);
    const again = hash !== null && this.isCounted(session, hash);
    const units = again ? 0 : unitsOf(settings, call.toolFollowup);
    if (session.missing) {
      session.missing = false;
      session.own = {
        ...session.own,
        units: session.own.units + Math.max(0, (call.userMessages ?? 0) - 1) * turn,
      };
    }
    if (units > 0) {
      const { epoch } = stateOf(session);
      const own = session.own.epoch === epoch ? session.own : atEpoch(session.own, 0, epoch);
      this.change(session, withRequest(own, this.nextVersion(), units, hash));
      if (hash !== null) this.remember(hash);
    }
    const now = stateOf(session);
    const underWay = again
      ? 0
      : this.holdsUnderWay(session, now.epoch).filter((hold) => !hold.again).length;
    const due = !call.toolFollowup && isDue(now, settings, underWay);
    if (due)
      session.holds = [
        ...session.holds,
        { epoch: now.epoch, until: this.clock.monotonicMs() + holdMs, again },
      ];
    return { units, counter: now.units, due };
  }

  /** An answer that was told due is no longer held, whatever came of it. */
  endHold(name: SessionName): void {
    const session = this.find(name);
    if (session === undefined) return;
    // While a request is held that was sent twice, its turn is.
    const at = Math.max(
      0,
      session.holds.findIndex(({ again }) => again),
    );
    session.holds = session.holds.toSpliced(at, 1);
  }

  /** A verification completed: the session begins again (QV-9). */
  reset(name: SessionName): void {
    const session = this.touch(name);
    this.change(session, atEpoch(session.own, this.nextVersion(), stateOf(session).epoch + 1));
  }

  find(name: SessionName): SessionState | undefined {
    return this.held.get(name.projectId, name.sessionId);
  }

  all(): Iterable<SessionState> {
    return this.held.values();
  }

  /** What was given up since it was last asked. */
  takeEnded(): readonly Ended[] {
    const { ended } = this;
    this.ended = [];
    return ended;
  }

  /**
   * @param own null: what the journal had of it is no number. `counts` says from where it counts,
   * as in `HeldSession`
   */
  restore(name: SessionName, own: CounterRow | null, counts: 'stored' | 'zero'): void {
    const session = this.open(name, counts === 'stored');
    session.restored = true;
    if (own === null) session.missing = true;
    else session.own = own;
    session.unwritten = own !== null;
    this.version = Math.max(this.version, session.own.version);
  }

  /** What PostgreSQL has of a session that is now read for the first time. */
  takeStored(session: SessionState, rows: CounterRows, isMissing: boolean): void {
    session.read = true;
    const stored = rows.get(this.replica);
    const { version } = session.own;
    this.version = Math.max(this.version, stored?.version ?? 0);
    if (version === 0) session.missing = stored === undefined && (session.missing || isMissing);
    // What is stored is newer only where the journal lost its end; it then has what the journal
    // has. What this process counted first, no one has.
    if (stored !== undefined && (version === 0 || (session.restored && stored.version >= version)))
      session.own = stored;
    else if (version > 0 && !session.journalled)
      this.change(session, adoptStored(session.own, rows, this.nextVersion()));
    this.takeOthers(session, rows);
  }

  /** What other replicas wrote; gives back what they had counted before. */
  takeOthers(session: SessionState, rows: CounterRows): void {
    const others = new Map([...rows].filter(([replica]) => replica !== this.replica));
    if (others.size === 0) return;
    session.others = session.others === null ? others : mergeRows(session.others, others);
    const overcounted = countedTwice(rowsOf(session)).flatMap(({ replica, request }) =>
      replica === this.replica ? [request] : [],
    );
    if (overcounted.length > 0)
      this.change(session, withoutCountedTwice(session.own, this.nextVersion(), overcounted));
  }

  private touch(name: SessionName): SessionState {
    return this.held.touch(name.projectId, name.sessionId) ?? this.open(name, false);
  }

  private open({ projectId, sessionId }: SessionName, journalled: boolean): SessionState {
    const own: CounterRow = { replica: this.replica, epoch: 0, version: 0, units: 0, recent: [] };
    // What PostgreSQL cannot hold stays in this process.
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
    const session: SessionState = { projectId, sessionId, own, others: null, holds: [], ...flags };
    const gone = this.held.set(projectId, sessionId, session);
    // With the stores away the list must not grow for ever: what is left in them is read again, and
    // no harm.
    if (gone?.storable === true && this.ended.length < 5 * sessionsMax)
      this.ended.push({
        projectId: gone.projectId,
        sessionId: gone.sessionId,
        version: gone.own.version,
      });
    return session;
  }

  /** Those of this epoch; what was never ended is let go of. */
  private holdsUnderWay(session: SessionState, epoch: number): readonly Hold[] {
    if (session.holds.length === 0) return session.holds;
    const now = this.clock.monotonicMs();
    session.holds = session.holds.filter(({ until }) => until > now);
    return session.holds.filter((hold) => hold.epoch === epoch);
  }

  private change(session: SessionState, own: CounterRow): void {
    session.own = own;
    session.unwritten = true;
    session.unjournalled = true;
  }

  /** By this process lately, or by any replica as far as their rows tell. */
  private isCounted(session: SessionState, hash: string): boolean {
    if (this.seen.has(hash)) return true;
    return rowsOf(session).some(({ recent }) => recent.some((request) => request.hash === hash));
  }

  private remember(hash: string): void {
    if (this.seen.size >= requestsMax) this.seen.delete(this.seen.values().next().value ?? '');
    this.seen.add(hash);
  }

  /**
   * Higher than any before, after a restart too; so a row that was given up and made again is the
   * newer one. A millisecond has room for a thousand changes: the versions of a busy process must
   * not run ahead of the clock that the next one begins with.
   */
  private nextVersion(): number {
    this.version = Math.max(this.version + 1, this.clock.now().getTime() * 1000);
    return this.version;
  }
}

function rowsOf({ own, others }: SessionState): readonly CounterRow[] {
  return others === null ? [own] : [own, ...others.values()];
}

function stateOf(session: SessionState): { readonly epoch: number; readonly units: number } {
  return session.others === null ? session.own : standingOf(rowsOf(session));
}

/** A caller's own words are neither stored nor compared as they are. */
function requestHash({ projectId, sessionId, body }: CountedCall, clientRequestId: string): string {
  return sha256(
    `${projectId}\n${sessionId}\n${clientRequestId}\n${body === undefined ? '' : sha256(body)}`,
  ).slice(0, 16);
}

/** What a turn counts: a tool follow-up a part of one (QV-5). */
function unitsOf(
  { tool_followup_weight: weight }: QualityVerifierSettings,
  toolFollowup: boolean,
): number {
  return toolFollowup ? Math.round(Math.min(1, Math.max(0, weight)) * turn) : turn;
}

/**
 * Every N turns since the last verification (QV-6), those that are being verified now taken off:
 * calls that run at once have N turns between their verifications as well, and with N = 1 each has
 * its own. Once a session had a verification it is past the turns at its beginning that are exempt
 * (QV-7).
 */
function isDue(
  { epoch, units }: { readonly epoch: number; readonly units: number },
  { frequency, min_eligible_turn: first }: QualityVerifierSettings,
  underWay: number,
): boolean {
  const turns = Math.floor(units / turn);
  return turns >= frequency * (underWay + 1) && (epoch > 0 || turns >= first);
}
