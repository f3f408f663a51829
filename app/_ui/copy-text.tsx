'use client';

import { useState } from 'react';
import { announce } from './announcer';
import { Button } from './button';

/** A command or a secret to copy; selectable when pages have no clipboard access. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('yes');
      announce(`${label} copied`);
    } catch {
      setCopied('refused');
      announce('The browser does not allow copying; select the text instead');
    }
  };
  return (
    <div className="grid min-w-0 gap-2">
      <pre
        aria-label={label}
        // Scrolls sideways, so it must be reachable by keyboard.
        tabIndex={0}
        className="bg-sunken text-ink border-line rounded-4 text-12 overflow-x-auto border p-3 font-mono whitespace-pre"
      >
        {text}
      </pre>
      <div className="flex items-center gap-3">
        <Button onClick={() => void copy()}>Copy</Button>
        <span className="text-12 text-ink-3">
          {copied === 'yes'
            ? 'Copied'
            : copied === 'refused'
              ? 'Copying is not allowed here; select the text'
              : ''}
        </span>
      </div>
    </div>
  );
}
