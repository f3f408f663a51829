'use client';

import { type ReactNode, useState } from 'react';

/** One line until it is opened; the content is rendered only then. */
export function Fold({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-ink-2 hover:text-ink min-w-0 truncate">{summary}</summary>
      {open ? <div className="grid min-w-0 gap-2 pt-2">{children}</div> : null}
    </details>
  );
}
