import type { ReactNode } from 'react';

export default function EntryLayout({ children }: { children: ReactNode }) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="grid min-h-dvh place-items-center px-4 py-8 outline-none"
    >
      <div className="bg-surface border-line rounded-8 grid w-full max-w-[400px] gap-5 border p-6">
        <p className="text-14 flex items-center gap-2 font-semibold">
          <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" className="fill-ink" />
            <path
              d="M8 17.2l5.4 5.4L24.4 9.6"
              fill="none"
              className="stroke-surface"
              strokeWidth="3.6"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          Assay
        </p>
        {children}
      </div>
    </main>
  );
}
