'use client';

import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

interface TabsProps<Key extends string> {
  /** The name of the list of tabs. */
  label: string;
  tabs: readonly { readonly key: Key; readonly name: string }[];
  here: Key;
  onSelect: (key: Key) => void;
  /** The content of the selected tab. */
  children: ReactNode;
}

/** How far a key moves, in a list of `count` tabs. */
const movedTo: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Tabs as in the ARIA practices: arrow keys select, and one tab stop leads to the selected one. */
export function Tabs<Key extends string>({
  label,
  tabs,
  here,
  onSelect,
  children,
}: TabsProps<Key>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent, index: number) => {
    const next = movedTo[event.key]?.(index, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || tab === undefined) return;
    event.preventDefault();
    onSelect(tab.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="border-line flex gap-1 overflow-x-auto border-b"
      >
        {tabs.map(({ key, name }, index) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === here}
            aria-controls={key === here ? `${id}-panel` : undefined}
            tabIndex={key === here ? 0 : -1}
            onClick={() => onSelect(key)}
            onKeyDown={(event) => move(event, index)}
            className={`flex h-9 shrink-0 items-center border-b-2 px-3 focus-visible:outline-offset-[-2px] ${key === here ? 'border-accent font-semibold' : 'text-ink-2 hover:text-ink border-transparent'}`}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${here}`}
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
      >
        {children}
      </div>
    </>
  );
}
