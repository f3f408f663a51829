'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { useOrigin } from '@/app/(console)/list-origin';
import { Crumbs } from '@/app/(console)/crumbs';
import { useLive } from '@/app/(console)/use-live';
import { VerifierTrust } from '@/app/(console)/verifier-trust';
import type { VerdictDetail, VerdictLabels } from '@/app/_trpc/outputs';
import { CopyId } from '@/app/_ui/copy-id';
import { Age } from '@/app/_ui/moment';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { readVerifierName, seriesOf } from '@/server/domain';
import { plainNumber } from './subject/words';
import { usePeople } from './use-people';
import { storedOutcome, verifierLabel } from './verdict-title';

interface VerdictHeadProps {
  verdict: VerdictDetail;
  project: string;
  /** The first line of the task or of the answer. */
  title: string;
}

export function SettledHead({ verdict, project, title }: VerdictHeadProps) {
  const { figures, unsourced } = verdict;
  const { ruled } = usePeople(project, verdict);
  return (
    <Head project={project} verdict={verdict} title={title} ruled={ruled}>
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

interface UnsettledHeadProps extends VerdictHeadProps {
  /** The reason why the verification is pending. */
  pendingText?: string;
}

/**
 * Pending or quarantined: no verdict is shown before there is one. The page updates itself when it
 * settles.
 */
export function UnsettledHead({
  verdict,
  project,
  title,
  pendingText = 'Waiting for a worker',
}: UnsettledHeadProps) {
  const router = useRouter();
  useLive(project, () => router.refresh());
  const isQuarantined = verdict.state === 'quarantined';
  return (
    <Head project={project} verdict={verdict} title={title} ruled={null}>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {isQuarantined ? 'Quarantined after repeated failures' : pendingText}
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

interface HeadProps extends VerdictHeadProps {
  ruled: VerdictLabels['ruled'];
  children: ReactNode;
}

/** The title names the subject, its verifier and its state. */
function Head({ project, verdict, title, ruled, children }: HeadProps) {
  const from = useOrigin();
  const { slug } = readVerifierName(verdict.verifier);
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <Crumbs
          trail={[from ?? { name: 'Verdicts', href: `/p/${project}/verdicts`, list: project }]}
          pageName="Verdict"
        />
        <p className="text-12 text-ink-3 hidden md:block">
          <kbd className="font-mono">j</kbd> next · <kbd className="font-mono">k</kbd> previous ·{' '}
          <kbd className="font-mono">Esc</kbd> list
        </p>
      </div>
      <h1 className="grid min-w-0 gap-1">
        <span className="line-clamp-2 [overflow-wrap:anywhere] [unicode-bidi:isolate]">
          <VisibleText text={title} />
        </span>{' '}
        <span className="text-16 flex min-w-0 flex-wrap items-center gap-x-3 leading-6">
          <VerdictBadge
            outcome={storedOutcome(verdict)}
            verdict={verdict.verdict}
            ruled={ruled}
            size={18}
          />
          <Link
            href={`/p/${project}/verifiers/${encodeURIComponent(slug)}`}
            prefetch={false}
            className="text-14 text-ink-2 min-w-0 font-normal [overflow-wrap:anywhere] underline"
          >
            {verifierLabel(verdict.verifier)}
          </Link>
        </span>
      </h1>
      <div className="text-ink-2 flex flex-wrap items-baseline gap-x-3">
        {children}
        <VerifierTrust project={project} verifier={seriesNamed(verdict)} />
        <CopyId id={verdict.id} noun="verdict id" />
      </div>
    </div>
  );
}
