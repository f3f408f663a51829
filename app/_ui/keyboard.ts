'use client';

import { useLayoutEffect, useRef } from 'react';

/** `j`, `/`, `Enter`, `Escape`; `mod+k` with Ctrl or Cmd, `mod+shift+e` also with Shift. */
export type KeyBindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** No shortcut fires while typing. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  // Letters move within a list of choices, open or closed.
  if (target.closest('[role=combobox], [role=listbox]')) return true;
  return (
    target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  );
}

/**
 * An open dialog receives all keys; only `mod+` keys work while typing. In layout effects, so that
 * visible parts already receive their keys.
 */
export function useKeys(bindings: KeyBindings): void {
  const latest = useRef(bindings);
  useLayoutEffect(() => {
    latest.current = bindings;
  });
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      const mod = event.ctrlKey || event.metaKey;
      const shift = event.shiftKey ? 'shift+' : '';
      const action = latest.current[mod ? `mod+${shift}${event.key.toLowerCase()}` : event.key];
      if (!action) return;
      if (!mod && (isTyping(event.target) || document.querySelector('[role=dialog]'))) return;
      action(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
