'use client';

import { useState } from 'react';
import { announce } from '@/app/_ui/announcer';

/** The slug, which programs use, with a button that copies it. */
export function CopySlug({ slug }: { slug: string }) {
  const [state, setState] = useState('Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(slug);
      setState('Copied');
      announce('Slug copied');
    } catch {
      setState('Select it to copy');
      announce('The browser does not allow copying; select the slug instead');
    }
  };
  return (
    <p className="text-12 flex flex-wrap items-center gap-2">
      <code className="text-ink-2 font-mono [overflow-wrap:anywhere]">{slug}</code>
      <button
        type="button"
        aria-label={`Copy slug ${slug}`}
        onClick={() => void copy()}
        className="text-ink-2 hover:text-ink min-h-6 underline"
      >
        {state}
      </button>
    </p>
  );
}
