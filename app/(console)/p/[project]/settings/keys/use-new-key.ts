'use client';

import { useSyncExternalStore } from 'react';
import type { KeyScope } from '@/server/access/input';
import { findNewKey, onNewKey } from './new-key';

/**
 * The last key with this scope that this tab has created, or null, since a key without the scope
 * would only be refused.
 */
export function useNewKey(project: string, scope: KeyScope): string | null {
  return useSyncExternalStore(
    onNewKey,
    () => findNewKey(project, scope),
    () => null,
  );
}
