'use client';

import { usePathname } from 'next/navigation';
import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';

/** The list from which this tab last opened an item; the item's breadcrumbs link back to it. */
const Origin = z.object({ to: z.string(), name: z.string(), href: z.string() });
type Origin = z.infer<typeof Origin>;

const key = 'assay:came-from';

/** Call it when a link is followed; `to` is the link's path. */
export function rememberOrigin(to: string, name: string): void {
  const from: Origin = { to, name, href: `${window.location.pathname}${window.location.search}` };
  sessionStorage.setItem(key, JSON.stringify(from));
}

const never = () => () => undefined;

/** Null when the page was not opened from a list. */
export function useOrigin(): { readonly name: string; readonly href: string } | null {
  const pathname = usePathname();
  const text = useSyncExternalStore(
    never,
    () => sessionStorage.getItem(key),
    () => null,
  );
  return useMemo(() => {
    if (text === null) return null;
    const from = Origin.safeParse(readJson(text));
    return from.success && from.data.to === pathname
      ? { name: from.data.name, href: from.data.href }
      : null;
  }, [text, pathname]);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
