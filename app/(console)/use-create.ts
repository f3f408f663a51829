'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';

/**
 * Whether the page's dialog for a new item is open. Kept in the URL as `?create=1`, so that
 * commands and links can open it; closing removes it.
 */
export function useCreate(mayCreate = true): readonly [boolean, (open: boolean) => void] {
  const [createParam, setCreateParam] = useQueryState('create', parseAsStringLiteral(['1']));
  return [mayCreate && createParam !== null, (open) => void setCreateParam(open ? '1' : null)];
}
