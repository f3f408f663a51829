import type { ReactNode } from 'react';
import { Button } from './button';
import type { Problem } from '../_trpc/problem';

export function Panel({
  title,
  aside,
  children,
  id,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  id?: string;
}) {
  return (
    <section aria-label={title} id={id} className="bg-surface border-line rounded-8 min-w-0 border">
      <header className="border-line flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-1">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** One of the four empty cases of ui.md; the caller supplies the case and the next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid max-w-[72ch] gap-2 p-4">
      <p className="font-semibold">{title}</p>
      {children ? <div className="text-ink-2 grid gap-3">{children}</div> : null}
    </div>
  );
}

/** Shows the failure, the parts that still work, the request id, and a button to retry. */
export function ErrorPanel({
  what,
  works,
  problem,
  onRetry,
}: {
  what: string;
  works: string;
  problem: Problem;
  onRetry?: () => void;
}) {
  return (
    <div
      role="alert"
      className="bg-surface border-line rounded-8 grid justify-items-start gap-2 border p-4"
    >
      <p className="flex items-center gap-2 font-semibold">
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path
            d="M8 1.8 15 14.2H1zM8 6.2v3.6m0 2.1v.1"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
          />
        </svg>
        {what}
      </p>
      <p className="text-ink-2">{problem.message}</p>
      <p className="text-ink-2">{works}</p>
      {problem.requestId ? (
        <p className="text-12 text-ink-3">
          Request id <code className="font-mono">{problem.requestId}</code>
        </p>
      ) : null}
      {onRetry ? <Button onClick={onRetry}>Try again</Button> : null}
    </div>
  );
}

export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" data-skeleton="" className={`bg-sunken rounded-4 ${className}`} />;
}
