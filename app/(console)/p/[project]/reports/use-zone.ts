'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** The reader's time zone; null while rendering on the server, which does not know it. */
export function useZone(): string | null {
  return useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  );
}
