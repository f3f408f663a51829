'use client';

import { useSyncExternalStore } from 'react';
import { chooseTheme, type ThemeChoice } from '../theme';

const choices: readonly { readonly choice: ThemeChoice; readonly name: string }[] = [
  { choice: 'system', name: 'System' },
  { choice: 'light', name: 'Light' },
  { choice: 'dark', name: 'Dark' },
];

function subscribe(listener: () => void): () => void {
  window.addEventListener('assay:theme', listener);
  return () => window.removeEventListener('assay:theme', listener);
}

export function ThemeSwitch() {
  const chosen = useSyncExternalStore(
    subscribe,
    () => document.documentElement.dataset.choice ?? 'system',
    () => 'system',
  );
  return (
    <div role="group" aria-label="Theme" className="border-line rounded-4 flex border">
      {choices.map(({ choice, name }) => (
        <button
          key={choice}
          type="button"
          aria-pressed={chosen === choice}
          onClick={() => chooseTheme(choice)}
          className={`text-12 rounded-4 h-6 flex-1 px-2 ${chosen === choice ? 'bg-accent-wash text-ink' : 'text-ink-3 hover:text-ink'}`}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
