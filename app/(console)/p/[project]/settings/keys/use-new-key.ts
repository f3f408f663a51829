'use client';

import { useSyncExternalStore } from 'react';
import { newKeyName } from './new-key';

const none = () => () => undefined;

/** The key that this tab has just created, or null. */
export function useNewKey(project: string): string | null {
  return useSyncExternalStore(
    none,
    () => sessionStorage.getItem(newKeyName(project)),
    () => null,
  );
}
