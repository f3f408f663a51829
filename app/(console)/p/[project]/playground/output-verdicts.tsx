'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FieldError } from '@/app/_ui/field';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { verdictStyles } from '@/app/_ui/verdict-styles';

interface OutputVerdictsProps {
  project: string;
  turn: string;
  /** The number of verifiers that run. */
  expected: number;
}

const pollMs = 700;

/** The verdicts on an output as they arrive. */
export function OutputVerdicts({ project, turn, expected }: OutputVerdictsProps) {
  const verdicts = useQuery({
    ...useTRPC().verdicts.list.queryOptions({ project, turn, limit: 50 }),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) < expected ? pollMs : false),
  });
  const rows = verdicts.data?.items ?? [];
  return (
    <div className="grid gap-2">
      <ul aria-label="Verdicts" className="grid gap-1">
        {rows.map(({ id, outcome, verifier, score }) => (
          <li key={id} className="flex items-center gap-2">
            <VerdictIcon state={outcome} />
            <Link
              href={`/p/${project}/verdicts/${encodeURIComponent(id)}`}
              prefetch={false}
              className="underline"
            >
              {verdictStyles[outcome].word}
            </Link>
            <span className="text-12 text-ink-2 truncate font-mono">{verifier}</span>
            {score === null ? null : <span className="text-ink-2">{score.toFixed(2)}</span>}
          </li>
        ))}
      </ul>
      {rows.length < expected ? (
        <p role="status" className="text-ink-3">
          {rows.length} of {expected} verdicts
        </p>
      ) : null}
      <FieldError text={verdicts.error ? problemOf(verdicts.error).message : null} />
      <Link
        href={`/p/${project}/turns/${encodeURIComponent(turn)}`}
        prefetch={false}
        className="text-ink-2 hover:text-ink justify-self-start underline"
      >
        Open turn
      </Link>
    </div>
  );
}
