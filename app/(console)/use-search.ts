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
  readonly isSearching: boolean;
  readonly error: unknown;
}

/** Searches the project for the input after a pause; superseded searches are cancelled. */
export function useSearch(project: string | null, typed: string): Search {
  const text = typed.trim();
  const [searchTerm, setSearchTerm] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearchTerm(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const hasTerm = project !== null && searchTerm.length >= searchCharsMin;
  const { data, error, isFetching } = useQuery(
    useTRPC().search.find.queryOptions(
      { project: project ?? '', q: searchTerm.slice(0, 200) },
      {
        enabled: hasTerm,
        placeholderData: keepPreviousData,
        staleTime: 10_000,
        retry: false,
        trpc: { abortOnUnmount: true },
      },
    ),
  );
  if (project === null || text.length < searchCharsMin)
    return { found: null, isSearching: false, error: null };
  return {
    found: hasTerm ? (data ?? null) : null,
    isSearching: isFetching || searchTerm !== text,
    error,
  };
}
