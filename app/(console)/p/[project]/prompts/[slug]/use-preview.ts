'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptPreview } from '@/app/_trpc/outputs';

const pauseMs = 300;

/** What the server says of a text. */
export interface Previewed {
  readonly preview: PromptPreview;
  /** The text that it is of: behind the editor's for a moment. */
  readonly body: string;
}

/**
 * Checks and fills a text after each pause in typing; null before the first answer. The last
 * question is the one that is answered.
 */
export function usePreview(
  project: string,
  slug: string,
  body: string,
  subject: string | null,
): [Previewed | null, unknown] {
  const { mutate, error } = useMutation(useTRPC().prompts.preview.mutationOptions());
  const [last, setLast] = useState<Previewed | null>(null);
  useEffect(() => {
    const ask = () =>
      mutate(
        { project, slug, body, ...(subject !== null && { subject }) },
        { onSuccess: (preview) => setLast({ preview, body }) },
      );
    const timer = setTimeout(ask, pauseMs);
    return () => clearTimeout(timer);
  }, [mutate, project, slug, body, subject]);
  return [last, error];
}
