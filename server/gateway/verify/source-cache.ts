import { createHash } from 'node:crypto';
import type { IntegritySubject } from '../../verifiers';
import type { ReadRequest } from '../dialects/dialect';
import type { CallSources } from './deps';
import { readSources, subjectOf } from './scan-turn';

/**
 * Read sources are kept for so many calls, for so many bytes of requests, and so long after they
 * were last asked for.
 */
const SUBJECTS_MAX = 64;
const BYTES_MAX = 16 * 1024 * 1024;
const AGE_MS = 5 * 60_000;
/** Calls whose sources are known by their content. */
const CALLS_MAX = 4_096;

interface CacheEntry {
  readonly subject: IntegritySubject;
  readonly bytes: number;
  usedAt: number;
}

/**
 * Sources that were read, by call and by content: an agent sends the same results again with each
 * step. Not shared between threads.
 */
export interface SourceCache {
  /**
   * Reads the sources of a call, unless the same ones are there. @throws Error for what cannot be
   * read
   */
  put(call: CallSources): IntegritySubject;
  /** Null: never put, or given up since. */
  find(callId: string): IntegritySubject | null;
  /** Gives up what no one asked for lately. */
  sweep(): void;
  readonly size: number;
}

export function createSourceCache(now: () => number = () => performance.now()): SourceCache {
  const subjects = new Map<string, CacheEntry>();
  const calls = new Map<string, string>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= subjects.get(key)?.bytes ?? 0;
    subjects.delete(key);
  }

  /** Moved to the end: what was used longest ago is first. */
  function use(key: string): IntegritySubject | null {
    const entries = subjects.get(key);
    if (entries === undefined) return null;
    subjects.delete(key);
    entries.usedAt = now();
    subjects.set(key, entries);
    return entries.subject;
  }

  function keep(key: string, subject: IntegritySubject, size: number): void {
    subjects.set(key, { subject, bytes: size, usedAt: now() });
    bytes += size;
    for (const first of subjects.keys()) {
      if (subjects.size <= SUBJECTS_MAX && bytes <= BYTES_MAX) break;
      drop(first);
    }
  }

  return {
    put(call) {
      const read = readSources(call);
      const key = keyOf(read, call.allowUserFigures);
      calls.set(call.callId, key);
      for (const first of calls.keys()) {
        if (calls.size <= CALLS_MAX) break;
        calls.delete(first);
      }
      const entry = use(key);
      if (entry !== null) return entry;
      const subject = subjectOf(read, call.allowUserFigures);
      keep(key, subject, call.body.byteLength);
      return subject;
    },
    find(callId) {
      const key = calls.get(callId);
      return key === undefined ? null : use(key);
    },
    sweep() {
      for (const [key, { usedAt }] of subjects) if (now() - usedAt > AGE_MS) drop(key);
    },
    get size() {
      return subjects.size;
    },
  };
}

function keyOf(read: ReadRequest | null, allowUserFigures: boolean): string {
  const hash = createHash('sha256').update(allowUserFigures ? 'user' : '');
  const parts = [
    ...(read?.tools ?? []).flatMap(({ id, name, result }) => [id, name, result]),
    ...(read?.messages ?? []).map(({ content }) => content),
    ...(read?.context ?? []).flatMap(({ id, text }) => [id, text]),
  ];
  for (const part of parts) hash.update(`${part?.length ?? 'none'}:`).update(part ?? '');
  return hash.digest('base64');
}
