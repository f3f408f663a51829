'use client';

import Link from 'next/link';
import { useSyncExternalStore } from 'react';
import { plainText, VisibleText } from '../_ui/visible-text';
import { recallList } from './list-memory';

export interface Crumb {
  readonly name: string;
  readonly href: string;
  /** Name of the list (`useListMemory`), whose filters are kept on the way back. */
  readonly list?: string;
  /** An id rather than a word. */
  readonly mono?: boolean;
}

interface CrumbsProps {
  /** From the list down to what this page stands in. */
  trail: readonly Crumb[];
  /** What this page is, where its heading does not stand under it. */
  here: string;
}

/** Where a page stands: from any evidence up to the rows and the number that led to it. */
export function Crumbs({ trail, here }: CrumbsProps) {
  return (
    <nav aria-label="Breadcrumb" className="print:hidden">
      <ol className="text-12 text-ink-3 flex flex-wrap items-center gap-x-1.5">
        {trail.map((crumb) => (
          <li key={crumb.href} className="flex min-w-0 items-center gap-x-1.5">
            <CrumbLink {...crumb} />
            <span aria-hidden="true">/</span>
          </li>
        ))}
        <li aria-current="page" className="max-w-64 truncate" title={plainText(here)}>
          <VisibleText text={here} />
        </li>
      </ol>
    </nav>
  );
}

function CrumbLink({ name, href, list, mono = false }: Crumb) {
  // Only the browser knows which filters the person came from; the memory changes with the page,
  // not under it.
  const search = useSyncExternalStore(
    never,
    () => (list === undefined ? '' : (recallList(list)?.search ?? '')),
    () => '',
  );
  return (
    <Link
      href={`${href}${search}`}
      prefetch={false}
      title={plainText(name)}
      className={`text-ink-2 hover:text-ink max-w-64 truncate underline [unicode-bidi:isolate] ${mono ? 'font-mono' : ''}`}
    >
      <VisibleText text={name} />
    </Link>
  );
}

const never = () => () => undefined;
