import type { ReactNode } from 'react';

/**
 * On a wide screen each column scrolls by itself, so that an answer and its source are visible side
 * by side.
 */
export function Column({
  name,
  place,
  children,
}: {
  name: string;
  place: string;
  children: ReactNode;
}) {
  return (
    <div
      role="region"
      aria-label={name}
      tabIndex={0}
      className={`${place} min-w-0 xl:-mx-1 xl:overflow-y-auto xl:px-1 xl:pb-4`}
    >
      {children}
    </div>
  );
}
