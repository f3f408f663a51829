'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { SimulateBody } from '@/server/experiments/input';
import { type ThresholdAddress, simulateBody } from './addresses';

/** The input must be unchanged for this long before a request is sent. */
const pauseMs = 250;

/** The text after it has stopped changing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface SimulationIn {
  readonly project: string;
  readonly verifier: string;
  readonly threshold: string;
  readonly address: ThresholdAddress;
  readonly candidate: number;
  /** Values along the scale. */
  readonly sweep: readonly number[];
}

/**
 * The effect of the candidate, then of every value of the slider, so that the numbers follow it
 * without a request: the second request waits, so that the first is not delayed.
 */
export function useSimulation({
  project,
  verifier,
  threshold: key,
  address,
  candidate,
  sweep,
}: SimulationIn) {
  const { simulate } = useTRPC().thresholds;
  const settled = useSettled(JSON.stringify(simulateBody(address, [candidate])));
  const body = SimulateBody.parse(JSON.parse(settled));
  const candidateQuery = useQuery(
    simulate.queryOptions(
      { project, verifier, key, body },
      { placeholderData: keepPreviousData, staleTime: 60_000 },
    ),
  );
  const sweepQuery = useQuery(
    simulate.queryOptions(
      {
        project,
        verifier,
        key,
        body: { ...body, values: [...sweep], labelled_only: true, sample: 0 },
      },
      {
        enabled: candidateQuery.data !== undefined && sweep.length > 0,
        placeholderData: keepPreviousData,
        staleTime: 60_000,
      },
    ),
  );
  const known = [
    ...(sweepQuery.data?.candidates ?? []),
    ...(candidateQuery.data?.candidates ?? []),
  ].filter(({ fault }) => fault === null);
  return {
    candidateQuery,
    sweepQuery,
    /** The candidate's; those of the latest value until they are known. */
    figures: known.find(({ value }) => value === candidate) ?? known.at(-1),
    isBehind: candidateQuery.isPlaceholderData || body.values[0] !== candidate,
  };
}
