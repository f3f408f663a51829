'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { Page } from '@/app/(console)/pages';

export function SettingsNav({ pages }: { pages: readonly Page[] }) {
  const pathname = usePathname();
  return (
    <nav
      aria-label="Settings"
      className="border-line -mx-4 flex gap-1 overflow-x-auto border-b px-4 md:-mx-6 md:px-6"
    >
      {pages.map((page) => {
        const isHere = pathname === page.href;
        return (
          <Link
            key={page.href}
            href={page.href}
            aria-current={isHere ? 'page' : undefined}
            className={`flex h-9 shrink-0 items-center border-b-2 px-2 focus-visible:outline-offset-[-2px] ${isHere ? 'border-accent font-semibold' : 'text-ink-2 hover:text-ink border-transparent'}`}
          >
            {page.name}
          </Link>
        );
      })}
    </nav>
  );
}
