'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { VisibleText } from '@/app/_ui/visible-text';

/** Untrusted text: wrapped, and isolated from the text direction around it. */
export const textClass =
  'min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]';

/** Not a landmark: a verdict has many of them, and headings serve for navigation. */
export function Block({
  title,
  aside,
  children,
  id,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  id?: string;
}) {
  return (
    <section id={id} className="bg-surface border-line rounded-8 min-w-0 scroll-mt-4 border">
      <header className="border-line flex min-h-9 flex-wrap items-center justify-between gap-x-3 border-b px-3 py-1">
        <h2 className="text-13 min-w-0 [overflow-wrap:anywhere]">{title}</h2>
        {aside}
      </header>
      <div className="min-w-0 p-3">{children}</div>
    </section>
  );
}

/** One line until it is opened; a link to a place in it opens it too. */
export function FoldBlock({
  title,
  aside,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <details className="group bg-surface border-line rounded-8 min-w-0 scroll-mt-4 border">
      <summary className="rounded-8 flex min-h-9 flex-wrap items-center justify-between gap-x-3 px-3 py-1">
        <span className="flex min-w-0 items-center gap-2">
          <svg
            width="10"
            height="10"
            viewBox="0 0 10 10"
            aria-hidden="true"
            className="text-ink-3 shrink-0 group-open:rotate-90"
          >
            <path d="M3 1.5 7 5 3 8.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
          </svg>
          <h2 className="text-13 min-w-0 [overflow-wrap:anywhere]">{title}</h2>
        </span>
        {aside}
      </summary>
      <div className="border-line min-w-0 border-t p-3">{children}</div>
    </details>
  );
}

const LONG = 6000;

/** Whether a text is shown by its beginning; a slightly longer one is shown in full. */
export const isLong = (text: string): boolean => text.length > LONG * 1.2;

/** Text of any length; a very long one opens on request, and the cut never splits a character. */
export function LongText({ text, mono = false }: { text: string; mono?: boolean }) {
  const [all, setAll] = useState(false);
  const isCut = !all && isLong(text);
  return (
    <div className="grid gap-2">
      <div className={`${textClass} ${mono ? 'text-12 font-mono' : ''}`}>
        <VisibleText text={isCut ? text.slice(0, LONG).replace(/[\uD800-\uDBFF]$/, '') : text} />
        {isCut ? '…' : null}
      </div>
      {isCut ? (
        <div>
          <Button onClick={() => setAll(true)}>
            Show all {text.length.toLocaleString('en')} characters
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Names and values, with the name at the left. */
export function Facts({ list }: { list: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-3 gap-y-1">
      {list.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
