'use client';

import { useEffect, useState } from 'react';

/** Announces a sentence to screen readers without visible changes. */
export function announce(text: string): void {
  window.dispatchEvent(new CustomEvent('assay:announce', { detail: text }));
}

export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    const hear = (event: Event) => {
      if (event instanceof CustomEvent) setText(String(event.detail));
    };
    window.addEventListener('assay:announce', hear);
    return () => window.removeEventListener('assay:announce', hear);
  }, []);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
