'use client';

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { z } from 'zod';

/** A text that is being edited, based on a stored version. */
export interface Draft {
  readonly body: string;
  readonly message: string;
}

const Stored = z.object({ body: z.string(), message: z.string() });

interface DraftState {
  readonly draft: Draft;
  readonly isDirty: boolean;
  /** The text was written before this page was opened. */
  readonly isRestored: boolean;
  readonly change: (change: Partial<Draft>) => void;
  readonly discard: () => void;
  /**
   * Call it after saving: drops the stored draft and the message, and keeps the text until another
   * version is opened.
   */
  readonly release: () => void;
}

/**
 * The draft of one version, kept while the tab is open: a reload or a visit to another page loses
 * nothing, and closing the tab asks for confirmation.
 *
 * @param name the key of the draft
 */
export function useDraft(name: string, stored: string): DraftState {
  const key = `assay:draft:${name}`;
  const storedText = useSyncExternalStore(
    () => () => undefined,
    () => recall(key),
    // The server has no drafts.
    () => null,
  );
  const storedDraft = useMemo(() => parseDraft(storedText), [storedText]);
  const [edited, setEdited] = useState<Draft | null>(null);
  const draft = edited ?? storedDraft ?? { body: stored, message: '' };
  const isDirty = draft.body !== stored;
  useEffect(() => {
    if (!isDirty) return;
    const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', confirmUnload);
    return () => window.removeEventListener('beforeunload', confirmUnload);
  }, [isDirty]);
  const storeDraft = (next: Draft) => {
    setEdited(next);
    remember(key, next.body === stored ? null : next);
  };
  return {
    draft,
    isDirty,
    isRestored: edited === null && isDirty,
    change: (change) => storeDraft({ ...draft, ...change }),
    discard: () => storeDraft({ body: stored, message: '' }),
    release: () => {
      setEdited({ body: draft.body, message: '' });
      remember(key, null);
    },
  };
}

function parseDraft(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    return Stored.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(key: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage that is full or switched off keeps no draft; closing the tab still asks for
    // confirmation.
  }
}
