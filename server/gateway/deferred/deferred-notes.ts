/** Sessions whose notes are kept; the one that was noted longest ago goes first. */
const SESSIONS_MAX = 10_000;
const NOTE_CHARS_MAX = 4_000;

/** Steering notes for the next request of their session (QV-31): for flows that cannot wait for a recall. Of this process, in memory. */
export interface DeferredNotes {
  /** Keeps one note a session: a new one takes the place of the old. At most 4,000 characters of it. */
  keep(projectId: string, sessionId: string, note: string): void;
  /** The session's note, once; null: none is kept. */
  take(projectId: string, sessionId: string): string | null;
}

export function createDeferredNotes(): DeferredNotes {
  const notes = new Map<string, string>();
  const keyOf = (projectId: string, sessionId: string): string => `${projectId}\n${sessionId}`;
  return {
    keep(projectId, sessionId, note) {
      const key = keyOf(projectId, sessionId);
      notes.delete(key);
      if (notes.size >= SESSIONS_MAX) notes.delete(notes.keys().next().value ?? '');
      notes.set(key, note.slice(0, NOTE_CHARS_MAX).toWellFormed());
    },
    take(projectId, sessionId) {
      if (notes.size === 0) return null;
      const key = keyOf(projectId, sessionId);
      const note = notes.get(key) ?? null;
      notes.delete(key);
      return note;
    },
  };
}
