'use client';

import { useMemo } from 'react';
import { LongText } from '../verdicts/[id]/block';
import { JsonSource } from '../verdicts/[id]/json-source';
import type { PathMarks } from '../verdicts/[id]/places';

const noMarks: PathMarks = new Map();

/** A value as sent: JSON with line breaks, a JSON string as its text, anything else as text. */
export function ValueText({ text }: { text: string }) {
  const value = useMemo(() => read(text), [text]);
  if (value === null || value === '')
    return <p className="text-ink-3">{value === null ? 'Null' : 'Empty'}</p>;
  return typeof value === 'string' ? (
    <LongText text={value} />
  ) : (
    <JsonSource text={value.json} marks={noMarks} />
  );
}

function read(text: string): string | { json: string } | null {
  if (!/^\s*(?:[[{"]|null\s*$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return null;
    return typeof value === 'string' ? value : { json: text };
  } catch {
    // Truncated, or not JSON.
    return text;
  }
}
