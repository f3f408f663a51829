import type { Ctx } from '../../platform';
import { createSingleFlight, createFaultLog, waitAtMost } from '../background';
import { openGatewayDir } from '../routes/disk';
import { type Journal, openJournal } from './journal';
import {
  type Advanced,
  type CountedCall,
  type EndedSession,
  type SessionState,
  Sessions,
} from './sessions';
import { deleteRows, pruneRows, readChanged, readSessions, writeRows } from './store';

/**
 * Decides which answers are verified (QV-1 to QV-12). Counting is synchronous; storage is updated
 * in the background.
 */
export interface Turns {
  advance(call: CountedCall): Advanced;
  /** A verification of the session completed (QV-9). */
  reset(projectId: string, sessionId: string): void;
  /**
   * Call once for each answer to verify when its verification has ended. Expires after 10 minutes.
   */
  endVerification(projectId: string, sessionId: string): void;
  /** Writes journal and PostgreSQL now. Never throws. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Replicas must see each other's counts within a second. */
const exchangedMs = 350;
const journalledMs = 900;
const prunedMs = 3_600_000;
/** Maximum number of sessions per read. */
const readMax = 1_000;
/** Time limit of the last write at shutdown. */
const patienceMs = 2_000;

/**
 * Opens the counters, restored from the journal in `dir` if there is one. Never throws: without any
 * storage it counts in memory.
 */
export function createTurns(
  ctx: Ctx,
  { dir, replica }: { readonly dir: string | null; readonly replica: string },
): Turns {
  const sessions = new Sessions(ctx.clock, replica);
  const journal = restoreFromJournal(ctx, dir, replica, sessions);
  const exchange = createExchange(ctx, replica, sessions);
  const exchanging = createSingleFlight(
    createFaultLog(
      ctx.log,
      'turn counters cannot be exchanged with PostgreSQL; counting continues',
      exchange.run,
    ),
  );
  const journalling = createSingleFlight(
    createFaultLog(ctx.log, 'turn counters cannot be stored on disk', () =>
      writeJournal(journal, sessions, exchange),
    ),
  );
  const timers = [
    setInterval(() => void exchanging(), exchangedMs),
    setInterval(() => void journalling(), journalledMs),
  ];
  for (const timer of timers) timer.unref();
  const sync = async (): Promise<void> => {
    await journalling();
    await exchanging();
  };
  return {
    advance: (call) => sessions.advance(call),
    reset: (projectId, sessionId) => sessions.reset({ projectId, sessionId }),
    endVerification: (projectId, sessionId) => sessions.endVerification({ projectId, sessionId }),
    sync,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await waitAtMost(sync(), patienceMs);
    },
  };
}

function restoreFromJournal(
  ctx: Pick<Ctx, 'log'>,
  dir: string | null,
  replica: string,
  sessions: Sessions,
): Journal | null {
  if (dir === null) return null;
  try {
    const opened = openJournal(openGatewayDir(dir), replica);
    for (const { own, counts, ...name } of opened.sessions) sessions.restore(name, own, counts);
    return opened.journal;
  } catch (error) {
    ctx.log.warn({ err: error }, 'turn counters cannot be stored on disk');
    return null;
  }
}

interface Exchange {
  readonly run: () => Promise<void>;
  /** Evictions that are not yet in the journal. */
  readonly drainEnded: () => readonly EndedSession[];
}

function createExchange(ctx: Ctx, replica: string, sessions: Sessions): Exchange {
  let cursor: string | null = null;
  let prunedAt = ctx.clock.monotonicMs();
  let toDelete: EndedSession[] = [];
  let toJournal: EndedSession[] = [];
  const collectEnded = (): void => {
    const ended = sessions.drainEnded();
    toDelete.push(...ended);
    toJournal.push(...ended);
  };

  async function run(): Promise<void> {
    collectEnded();
    if (toDelete.length > 0) {
      const ended = toDelete.slice(0, readMax);
      await deleteRows(ctx, replica, ended);
      toDelete = toDelete.slice(ended.length);
    }
    if (sessions.size > 0) {
      await readUnread(ctx, replica, sessions);
      const changed = await readChanged(ctx, replica, cursor);
      for (const { rows, ...name } of changed.sessions) {
        const session = sessions.find(name);
        if (session?.read === true) sessions.mergeOthers(session, rows);
      }
      ({ cursor } = changed);
      await writeChanged(ctx, sessions);
    }
    if (ctx.clock.monotonicMs() - prunedAt > prunedMs) {
      prunedAt = ctx.clock.monotonicMs();
      await pruneRows(ctx);
    }
  }

  return {
    run,
    drainEnded: () => {
      collectEnded();
      const ended = toJournal;
      toJournal = [];
      return ended;
    },
  };
}

async function readUnread(ctx: Ctx, replica: string, sessions: Sessions): Promise<void> {
  const unread: SessionState[] = [];
  for (const session of sessions.all()) {
    if (!session.read && unread.push(session) === readMax) break;
  }
  if (unread.length === 0) return;
  const stored = await readSessions(ctx, replica, unread);
  const found = new Map(stored.map((each) => [`${each.projectId} ${each.sessionId}`, each]));
  for (const session of unread) {
    const own = found.get(`${session.projectId} ${session.sessionId}`);
    sessions.takeStored(session, own?.rows ?? new Map(), own?.missing ?? false);
  }
}

async function writeChanged(ctx: Ctx, sessions: Sessions): Promise<void> {
  const unwritten = [...sessions.all()].filter(
    ({ storable, read, unwritten: isUnwritten }) => storable && read && isUnwritten,
  );
  if (unwritten.length === 0) return;
  // Reset first: counts that arrive during the write must be written again.
  for (const session of unwritten) session.unwritten = false;
  try {
    await writeRows(ctx, unwritten);
  } catch (error) {
    for (const session of unwritten) session.unwritten = true;
    throw error;
  }
}

async function writeJournal(
  journal: Journal | null,
  sessions: Sessions,
  exchange: Exchange,
): Promise<void> {
  const ended = exchange.drainEnded();
  if (journal === null) return;
  const changed = [...sessions.all()].filter(
    ({ storable, unjournalled }) => storable && unjournalled,
  );
  if (changed.length === 0 && ended.length === 0) return;
  for (const session of changed) session.unjournalled = false;
  try {
    if (journal.isLong(sessions.size))
      await journal.rewrite(
        [...sessions.all()].filter(({ storable, own }) => storable && own.version > 0),
      );
    else await journal.append(changed, ended);
  } catch (error) {
    for (const session of changed) session.unjournalled = true;
    throw error;
  }
}
