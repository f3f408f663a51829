'use client';

import { useQueries } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { ComparedRun } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { promptHref, storedPromptOf, type PromptRef } from '../experiment-words';

/** The compared prompt versions that are not in production, each with the page to promote it on. */
export function CandidatePrompts({
  project,
  runs,
}: {
  project: string;
  /** The first is the baseline. */
  runs: readonly ComparedRun[];
}) {
  const trpc = useTRPC();
  const candidates = new Map<string, PromptRef>();
  for (const { target } of runs.slice(1)) {
    const prompt = storedPromptOf(target);
    if (prompt !== null) candidates.set(prompt.name, prompt);
  }
  const slugs = [...new Set([...candidates.values()].map(({ slug }) => slug))];
  // A prompt that no longer exists has nothing to promote.
  const prompts = useQueries({
    queries: slugs.map((slug) => trpc.prompts.get.queryOptions({ project, slug })),
  }).flatMap(({ data }) => data ?? []);
  const shown = [...candidates.values()].flatMap((candidate) => {
    const prompt = prompts.find(({ slug }) => slug === candidate.slug);
    if (prompt === undefined || prompt.production.version === candidate.version) return [];
    return [{ candidate, production: prompt.production.version }];
  });
  if (shown.length === 0) return null;
  return (
    <Panel title="Promotion">
      <ul className="grid gap-1 p-4">
        {shown.map(({ candidate, production }) => (
          <li key={candidate.name}>
            Version {candidate.version} of{' '}
            <code className="text-12 font-mono">{candidate.slug}</code> is not in production;
            version {production} is.{' '}
            <Link href={promptHref(project, candidate)} prefetch={false} className="underline">
              Review and promote version {candidate.version}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
