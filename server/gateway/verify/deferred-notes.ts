import { FairLru } from '../fair-lru';

/**
 * Maximum number of sessions with a note. Beyond it, the project with the most notes loses its
 * oldest.
 */
export const notedSessionsMax = 10_000;
const NOTE_CHARS_MAX = 4_000;

/**
 * Steering notes for the next request of a session (QV-31), for flows that cannot wait for a
 * regeneration. In memory, per process.
 */
export interface DeferredNotes {
  /** Keeps the latest note of a session, at most 4,000 characters. */
  keep(projectId: string, sessionId: string, note: string): void;
  /** Removes and returns the session's note; null if there is none. */
  take(projectId: string, sessionId: string): string | null;
}

export function createDeferredNotes(): DeferredNotes {
  const notes = new FairLru<string>(notedSessionsMax);
  return {
    keep: (projectId, sessionId, note) =>
      void notes.set(projectId, sessionId, note.slice(0, NOTE_CHARS_MAX).toWellFormed()),
    take(projectId, sessionId) {
      if (notes.size === 0) return null;
      const note = notes.get(projectId, sessionId) ?? null;
      notes.delete(projectId, sessionId);
      return note;
    },
  };
}
