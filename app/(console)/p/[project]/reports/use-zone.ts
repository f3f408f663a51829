'use client';

import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** The browser's time zone; null while rendering on the server, which does not know it. */
export function useZone(): string | null {
  return useSyncExternalStore(
    subscribeToNothing,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  );
}
