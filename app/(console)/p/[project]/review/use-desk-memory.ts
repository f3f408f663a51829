'use client';

import { type Dispatch, useEffect } from 'react';
import { type DeskEvent, type DeskState, isUnsaved } from './desk-state';
import { recallRuled, rememberRuled } from './ruled-memory';

/** What was ruled on outlives a reload, and a page with something unsaved asks before it goes. */
export function useDeskMemory(
  project: string,
  reader: string,
  state: DeskState,
  dispatch: Dispatch<DeskEvent>,
): void {
  const { ruled, isRecalled } = state;
  const hasUnsaved = isUnsaved(state);
  useEffect(
    () => dispatch({ type: 'recalled', ruled: recallRuled(project, reader) }),
    [project, reader, dispatch],
  );
  useEffect(() => {
    // Before that it would overwrite what is to be recalled.
    if (isRecalled) rememberRuled(project, reader, ruled);
  }, [project, reader, ruled, isRecalled]);
  useEffect(() => {
    if (!hasUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasUnsaved]);
}
