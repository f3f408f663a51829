'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { useCameFrom } from '@/app/(console)/came-from';
import { Crumbs } from '@/app/(console)/crumbs';
import { useLive } from '@/app/(console)/use-live';
import { VerifierTrust } from '@/app/(console)/verifier-trust';
import type { VerdictDetail } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type VerdictState, verdictStyles } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { readVerifierName, seriesOf } from '@/server/domain';
import { plainNumber } from './subject/words';
import { usePeople } from './use-people';

export function SettledHead({ verdict, project }: { verdict: VerdictDetail; project: string }) {
  const { figures, unsourced } = verdict;
  const { ruled } = usePeople(project, verdict);
  const machine: Decided = { state: verdict.outcome ?? 'pending', native: verdict.verdict };
  const isOverruled = ruled !== null && ruled.verdict !== verdict.verdict;
  return (
    <Head
      project={project}
      state={isOverruled ? ruled.outcome : machine.state}
      native={isOverruled ? ruled.verdict : machine.native}
      {...(isOverruled && { machine })}
    >
      {figures === null && verdict.score !== null ? <span>{scoreText(verdict)}</span> : null}
      {figures === null ? null : (
        <span>
          {figures === 0 ? 'no figures' : `${unsourced ?? 0} of ${figures} figures unsourced`}
        </span>
      )}
      {verdict.model === null ? null : (
        <code className="text-12 min-w-0 font-mono [overflow-wrap:anywhere] [unicode-bidi:isolate]">
          <VisibleText text={verdict.model} />
        </code>
      )}
      <span>
        <Age at={verdict.settledAt ?? verdict.createdAt} /> ago
      </span>
      <VerifierTrust project={project} verifier={seriesNamed(verdict)} />
    </Head>
  );
}

/** Self-assessments of models have a separate trust state. */
function seriesNamed({ verifier, judging }: VerdictDetail): string {
  return seriesOf({ slug: readVerifierName(verifier).slug, self: judging.crossModel === 'self' });
}

function scoreText({ score, threshold }: VerdictDetail): string {
  const measured = `score ${plainNumber(score ?? 0)}`;
  return threshold === null ? measured : `${measured}, passes from ${plainNumber(threshold.value)}`;
}

interface UnsettledHeadProps {
  verdict: VerdictDetail;
  project: string;
  /** What the verification waits for. */
  waitsFor?: string;
}

/**
 * Pending or quarantined: no verdict is shown before there is one. The page updates itself when it
 * settles.
 */
export function UnsettledHead({
  verdict,
  project,
  waitsFor = 'Waiting for a worker',
}: UnsettledHeadProps) {
  const router = useRouter();
  useLive(project, () => router.refresh());
  const isQuarantined = verdict.state === 'quarantined';
  return (
    <Head
      project={project}
      state={isQuarantined ? 'inconclusive' : 'pending'}
      native={isQuarantined ? 'quarantined' : null}
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {isQuarantined ? 'Set aside after repeated failures' : waitsFor}
        {verdict.decision.reason === null ? null : (
          <VisibleText text={`: ${verdict.decision.reason}`} />
        )}
      </span>
      <span>
        received <Age at={verdict.createdAt} /> ago
      </span>
      {isQuarantined ? (
        <Link href={`/p/${project}/settings/work`} className="underline">
          Backlog
        </Link>
      ) : null}
    </Head>
  );
}

interface Decided {
  readonly state: VerdictState;
  readonly native: string | null;
}

interface HeadProps extends Decided {
  project: string;
  /** The verifier's verdict, if a person overrode it. */
  machine?: Decided;
  children: ReactNode;
}

function Head({ project, state, native, machine, children }: HeadProps) {
  const from = useCameFrom();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-0.5">
        <Crumbs
          trail={[from ?? { name: 'Verdicts', href: `/p/${project}/verdicts`, list: project }]}
          here="Verdict"
        />
        <h1 className="flex flex-wrap items-center gap-x-3">
          <VerdictIcon state={state} size={20} />
          {verdictStyles[state].word}
          {native === null ? null : (
            <span className="text-14 text-ink-2 min-w-0 font-normal [overflow-wrap:anywhere]">
              {native}
            </span>
          )}
          {machine === undefined ? null : (
            <span className="text-14 text-ink-2 flex items-center gap-2 font-normal">
              <VerdictIcon state="overridden" size={16} />
              <span className="sr-only">ruled by a person, the verifier decided</span>
              <s>{machine.native ?? verdictStyles[machine.state].word}</s>
            </span>
          )}
        </h1>
        <div className="text-ink-2 flex flex-wrap items-baseline gap-x-3">{children}</div>
      </div>
      <p className="text-12 text-ink-3 hidden md:block">
        <kbd className="font-mono">j</kbd> next · <kbd className="font-mono">k</kbd> previous ·{' '}
        <kbd className="font-mono">Esc</kbd> list
      </p>
    </div>
  );
}
