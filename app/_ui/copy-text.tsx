'use client';

import { useState } from 'react';
import { announce } from './announcer';
import { Button } from './button';

interface CopyTextProps {
  text: string;
  label: string;
  /** A part of the text that is copied but not shown, since it has been shown once already. */
  secret?: string | null;
}

/** A command or a secret to copy; selectable when pages have no clipboard access. */
export function CopyText({ text, label, secret = null }: CopyTextProps) {
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
        {secret === null || copied === 'refused' ? text : hideSecret(text, secret)}
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

/** The number of shown characters of a secret, so that it can be recognised. */
const shownEnd = 4;

function hideSecret(text: string, secret: string): string {
  return text.replaceAll(secret, `••••${secret.slice(-shownEnd)}`);
}
