'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '../_trpc/client';
import type { SearchResults } from '../_trpc/outputs';

const searchCharsMin = 2;
const pauseMs = 200;

export interface Search {
  /**
   * Results for the latest input, or for the previous one while the search runs; null without
   * input.
   */
  readonly found: SearchResults | null;
  readonly isLooking: boolean;
  readonly error: unknown;
}

/** Searches the project for the input after a pause; superseded searches are cancelled. */
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
