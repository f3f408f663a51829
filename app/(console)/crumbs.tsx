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
  /** Whether the name is an id. */
  readonly mono?: boolean;
}

interface CrumbsProps {
  /** The lists and parents of this page. */
  trail: readonly Crumb[];
  /** The name of this page, if no heading follows. */
  pageName: string;
}

/** Breadcrumbs: they lead from a piece of evidence back to its list and to its measure. */
export function Crumbs({ trail, pageName }: CrumbsProps) {
  return (
    <nav aria-label="Breadcrumb" className="print:hidden">
      <ol className="text-12 text-ink-3 flex flex-wrap items-center gap-x-1.5">
        {trail.map((crumb) => (
          <li key={crumb.href} className="flex min-w-0 items-center gap-x-1.5">
            <CrumbLink {...crumb} />
            <span aria-hidden="true">/</span>
          </li>
        ))}
        <li aria-current="page" className="max-w-64 truncate" title={plainText(pageName)}>
          <VisibleText text={pageName} />
        </li>
      </ol>
    </nav>
  );
}

function CrumbLink({ name, href, list, mono = false }: Crumb) {
  // Only the browser knows which filters the list had; they change on navigation, never while the
  // page is open.
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
