import { createHash } from 'node:crypto';
import { SourceContents } from '../../figures';
import type { IntegritySubject } from '../../verifiers';
import type { ReadRequest } from '../dialects/dialect';
import type { CallSources } from './deps';
import { readSources, scanSubject } from './scan-turn';

/** Limits of the cache: sets of sources, bytes of their requests, and age since the last use. */
const SUBJECTS_MAX = 64;
const BYTES_MAX = 16 * 1024 * 1024;
const AGE_MS = 5 * 60_000;
/** Memory of the sources that sets share: each step of an agent adds one to those before. */
const CONTENT_BYTES_MAX = 64 * 1024 * 1024;
/** Maximum number of calls mapped to the hash of their sources. */
const CALLS_MAX = 4_096;

interface CacheEntry {
  readonly subject: IntegritySubject;
  readonly bytes: number;
  usedAt: number;
}

/**
 * Parsed sources by call and by content: an agent sends the same results again with each step. It
 * is not shared between threads.
 */
export interface SourceCache {
  /** Parses the sources of a call unless they are cached. @throws Error if they cannot be parsed */
  put(call: CallSources): IntegritySubject;
  /** Null if it was never added, or was evicted. */
  find(callId: string): IntegritySubject | null;
  /** Evicts entries that were not used recently. */
  sweep(): void;
  readonly size: number;
}

export function createSourceCache(now: () => number = () => performance.now()): SourceCache {
  const subjects = new Map<string, CacheEntry>();
  const calls = new Map<string, string>();
  const contents = new SourceContents(CONTENT_BYTES_MAX, now);
  let bytes = 0;

  function drop(key: string): void {
    bytes -= subjects.get(key)?.bytes ?? 0;
    subjects.delete(key);
  }

  /** Moves the entry to the end: the least recently used comes first. */
  function use(key: string): IntegritySubject | null {
    const entry = subjects.get(key);
    if (entry === undefined) return null;
    subjects.delete(key);
    entry.usedAt = now();
    subjects.set(key, entry);
    return entry.subject;
  }

  function store(key: string, subject: IntegritySubject, size: number): void {
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
      const cached = use(key);
      if (cached !== null) return cached;
      const subject = scanSubject(read, call.allowUserFigures, contents);
      store(key, subject, call.body.byteLength);
      return subject;
    },
    find(callId) {
      const key = calls.get(callId);
      return key === undefined ? null : use(key);
    },
    sweep() {
      for (const [key, { usedAt }] of subjects) if (now() - usedAt > AGE_MS) drop(key);
      contents.sweep(now() - AGE_MS);
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
