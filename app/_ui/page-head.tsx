import type { ReactNode } from 'react';

interface PageHeadProps {
  /** `Crumbs`, on every page below a list. */
  crumbs?: ReactNode;
  title: string;
  sub?: ReactNode;
  children?: ReactNode;
}

export function PageHead({ crumbs, title, sub, children }: PageHeadProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        {crumbs}
        <h1>{title}</h1>
        {sub ? <p className="text-ink-3">{sub}</p> : null}
      </div>
      {children}
    </div>
  );
}

/** The frame of a page: one rhythm of gaps, set by the parent. */
export function PageBody({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) {
  return (
    <div className={`grid gap-4 px-4 py-4 md:px-6 ${narrow ? 'max-w-[960px]' : ''}`}>
      {children}
    </div>
  );
}
