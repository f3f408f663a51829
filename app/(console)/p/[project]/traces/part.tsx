import type { ReactNode } from 'react';

export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-1 pb-2 last:pb-0">
      <h3 className="text-12 text-ink-3">{name}</h3>
      {children}
    </div>
  );
}
