import type { ReactNode } from 'react';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import type { AttemptStatus } from '../checkpoint-words';

interface StepProps {
  name: string;
  /** The outcome of its last attempt; null when nothing was verified. */
  status?: AttemptStatus | null;
  aside?: ReactNode;
  children: ReactNode;
}

/** A step of the flow: its mark is on the line that leads to the next one. */
export function Step({ name, status = null, aside, children }: StepProps) {
  return (
    <li className="group grid min-w-0 grid-cols-[20px_minmax(0,1fr)] gap-x-3">
      <div aria-hidden="true" className="flex flex-col items-center">
        <span className="flex h-7 items-center">
          {status === null ? (
            <span className="bg-page border-line-strong size-2.5 rounded-full border" />
          ) : (
            <VerdictIcon state={status.state} size={16} />
          )}
        </span>
        <span className="bg-line-strong/50 w-px flex-1 group-last:hidden" />
      </div>
      <section aria-label={name} className="grid min-w-0 content-start gap-2 pb-6 group-last:pb-0">
        <header className="flex min-h-7 flex-wrap items-center gap-x-3">
          <h2>{name}</h2>
          {status === null ? null : <span>{status.word}</span>}
          {aside}
        </header>
        {children}
      </section>
    </li>
  );
}

/**
 * Attempts side by side, the earliest first; the container scrolls. It is positioned, since
 * visually hidden text would otherwise overflow it and widen the page.
 */
export function Attempts({
  label,
  count,
  children,
}: {
  label: string;
  count: number;
  children: ReactNode;
}) {
  if (count === 1)
    return (
      <ol aria-label={label} className="grid min-w-0 max-w-[960px]">
        {children}
      </ol>
    );
  return (
    <div
      role="region"
      aria-label={`${label}, side by side`}
      tabIndex={0}
      className="relative -m-1 min-w-0 overflow-x-auto p-1"
    >
      <ol
        aria-label={label}
        className="grid w-full auto-cols-[min(300px,76vw)] grid-flow-col items-start gap-3 md:auto-cols-[minmax(340px,1fr)]"
      >
        {children}
      </ol>
    </div>
  );
}
