import { readFileSync } from 'node:fs';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CounterRow } from './counter';
import type { EndedSession, SessionState, SessionName } from './sessions';
import { readStoredRow, storeRequest } from './stored-row';

/**
 * Keeps the counters of this process on its local disk, so that they survive a restart while
 * PostgreSQL is down. One line per session:
 * `{"p":project,"s":session,"e":epoch,"v":version,"u":units,"q":[[hash,epoch,units],…]}`. A line
 * without numbers: the session was evicted. A line with `"z":1`: the session counts from 0, because
 * PostgreSQL could not be read before. The last line of a session counts. Compacted when there are
 * many more lines than sessions.
 */
export interface Journal {
  /** @throws on file system errors */
  append(sessions: readonly SessionState[], ended: readonly EndedSession[]): Promise<void>;
  /** Whether to call `rewrite`. */
  isLong(sessions: number): boolean;
  rewrite(sessions: readonly SessionState[]): Promise<void>;
}

export interface Journalled extends SessionName {
  /** Null if the numbers are invalid. */
  readonly own: CounterRow | null;
  /** `zero`: written before the rows in PostgreSQL were read. */
  readonly counts: 'stored' | 'zero';
}

const minLines = 20_000;

/** Reads the journal. @throws on file system errors other than a missing file */
export function openJournal(
  dir: string,
  replica: string,
): { readonly journal: Journal; readonly sessions: readonly Journalled[] } {
  const path = join(/* turbopackIgnore: true */ dir, `${replica}.counters.jsonl`);
  const lines = readLines(path);
  const sessions = new Map<string, Journalled>();
  for (const line of lines) {
    const read = readLine(line, replica);
    if (read === null) continue;
    const key = `${read.projectId} ${read.sessionId}`;
    // Move to the end: eviction starts with the least recently used.
    sessions.delete(key);
    if (!read.ended) sessions.set(key, read);
  }
  let count = lines.length;
  // The last line may be truncated by a crash or a full disk.
  let torn = true;
  const journal: Journal = {
    async append(changed, ended) {
      // Evictions first: the same session may have come back and changed since.
      const text = [
        ...ended.map(({ projectId: p, sessionId: s }) => JSON.stringify({ p, s })),
        ...changed.map(lineOf),
      ].join('\n');
      const begin = torn ? '\n' : '';
      torn = true;
      await appendFile(path, `${begin}${text}\n`, { mode: 0o600 });
      torn = false;
      count += changed.length + ended.length;
    },
    isLong: (size) => count > Math.max(minLines, 4 * size),
    async rewrite(all) {
      const temporary = `${path}.${process.pid}`;
      await writeFile(temporary, all.map((session) => `${lineOf(session)}\n`).join(''), {
        mode: 0o600,
      });
      await rename(temporary, path);
      torn = false;
      count = all.length;
    },
  };
  return { journal, sessions: [...sessions.values()] };
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function lineOf({ projectId: p, sessionId: s, own, read, journalled }: SessionState): string {
  const numbers = { e: own.epoch, v: own.version, u: own.units, q: own.recent.map(storeRequest) };
  return JSON.stringify({ p, s, ...numbers, ...(read || journalled ? {} : { z: 1 }) });
}

/** Null for an invalid line, such as the last one of a process that died while writing. */
function readLine(
  line: string,
  replica: string,
): (Journalled & { readonly ended: boolean }) | null {
  try {
    const { p, s, e, v, u, q, z } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof p !== 'string' || typeof s !== 'string') return null;
    const ended = e === undefined && v === undefined && u === undefined;
    const own = readStoredRow({ replica, epoch: e, version: v, units: u, recent: q });
    return { projectId: p, sessionId: s, ended, own, counts: z === 1 ? 'zero' : 'stored' };
  } catch {
    return null;
  }
}
