import { FairLru } from '../fair-lru';

/**
 * Sessions whose notes are kept; over that the project that has most loses the one that was noted
 * longest ago.
 */
export const sessionsMax = 10_000;
const NOTE_CHARS_MAX = 4_000;

/**
 * Steering notes for the next request of their session (QV-31): for flows that cannot wait for a
 * recall. Of this process, in memory.
 */
export interface DeferredNotes {
  /**
   * Keeps one note a session: a new one takes the place of the old. At most 4,000 characters of it.
   */
  keep(projectId: string, sessionId: string, note: string): void;
  /** The session's note, once; null: none is kept. */
  take(projectId: string, sessionId: string): string | null;
}

export function createDeferredNotes(): DeferredNotes {
  const notes = new FairLru<string>(sessionsMax);
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
