'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '../_trpc/client';
import type { Found } from '../_trpc/outputs';

const searchCharsMin = 2;
const pauseMs = 200;

export interface Search {
  /** Of what was typed last, or just before while that is looked for; null where nothing is. */
  readonly found: Found | null;
  readonly isLooking: boolean;
  readonly error: unknown;
}

/** Looks for what is typed in the project after a pause; what is typed over is given up. */
export function useSearch(project: string | null, typed: string): Search {
  const text = typed.trim();
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const isWanted = project !== null && wanted.length >= searchCharsMin;
  const { data, error, isFetching } = useQuery(
    useTRPC().search.find.queryOptions(
      { project: project ?? '', q: wanted.slice(0, 200) },
      {
        enabled: isWanted,
        placeholderData: keepPreviousData,
        staleTime: 10_000,
        retry: false,
        trpc: { abortOnUnmount: true },
      },
    ),
  );
  if (project === null || text.length < searchCharsMin)
    return { found: null, isLooking: false, error: null };
  return {
    found: isWanted ? (data ?? null) : null,
    isLooking: isFetching || wanted !== text,
    error,
  };
}
