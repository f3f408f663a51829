'use client';

import { useState } from 'react';
import { VisibleText } from '@/app/_ui/visible-text';
import { Part } from '../../traces/part';
import { ValueText } from '../../traces/value-text';

interface ToolFoldProps {
  kind: string;
  name: string;
  /** One line of the content. */
  preview?: string;
  parts: readonly (readonly [string, string])[];
}

/** A source of a turn, one line until it is opened: the conversation is readable without it. */
export function ToolFold({ kind, name, preview, parts }: ToolFoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="border-line bg-sunken rounded-4 min-w-0 border md:ml-[92px]"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="truncate px-3 py-1.5">
        <span className="text-12 text-ink-3">{kind}</span>{' '}
        <span className="font-semibold [unicode-bidi:isolate]">
          <VisibleText text={name} />
        </span>
        {preview === undefined || preview === '{}' ? null : (
          <code className="text-12 text-ink-2 pl-2 font-mono [unicode-bidi:isolate]">
            <VisibleText text={preview.slice(0, 200).toWellFormed()} />
          </code>
        )}
      </summary>
      {/* Texts are rendered when they are opened: a page of turns may hold thousands of lines. */}
      {open ? (
        <div className="bg-surface border-line rounded-4 min-w-0 border-t p-3">
          {parts.map(([part, text]) => (
            <Part key={part} name={part}>
              {text === '' || text === '{}' ? (
                <p className="text-ink-3">None</p>
              ) : (
                <ValueText text={text} />
              )}
            </Part>
          ))}
        </div>
      ) : null}
    </details>
  );
}
