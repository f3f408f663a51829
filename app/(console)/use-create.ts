'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';

/**
 * Whether the page's dialog for something new is open. It is in the address, `?create=1`, so that
 * commands and links lead into it; closing takes it away.
 */
export function useCreate(mayCreate = true): readonly [boolean, (open: boolean) => void] {
  const [asked, setAsked] = useQueryState('create', parseAsStringLiteral(['1']));
  return [mayCreate && asked !== null, (open) => void setAsked(open ? '1' : null)];
}
