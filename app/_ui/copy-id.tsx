'use client';

import { useState } from 'react';
import { announce } from '@/app/_ui/announcer';
import { VisibleText } from './visible-text';

interface CopyIdProps {
  id: string;
  /** The name of the id: `slug`, `verdict id`. */
  noun: string;
}

/** An id that programs use, with a button that copies it. */
export function CopyId({ id, noun }: CopyIdProps) {
  const [state, setState] = useState('Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id);
      setState('Copied');
      announce(`The ${noun} is copied`);
    } catch {
      setState('Select it to copy');
      announce(`The browser does not allow copying; select the ${noun} instead`);
    }
  };
  return (
    <span className="text-12 flex flex-wrap items-center gap-x-2">
      <code className="text-ink-2 font-mono [overflow-wrap:anywhere]">
        <VisibleText text={id} />
      </code>
      <button
        type="button"
        aria-label={`Copy ${noun} ${id}`}
        onClick={() => void copy()}
        className="text-ink-2 hover:text-ink min-h-6 underline"
      >
        {state}
      </button>
    </span>
  );
}
