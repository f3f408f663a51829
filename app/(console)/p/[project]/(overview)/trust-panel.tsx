'use client';

import Link from 'next/link';
import { useTrusts } from '@/app/(console)/use-trusts';
import { trustHref } from '@/app/(console)/verifier-trust';
import { TrustMark } from '@/app/_ui/trust-mark';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';

/**
 * The trust states of verifiers that have verdicts, each with its first gap. Renders nothing until
 * a worker has computed them.
 */
export function TrustPanel({ project }: { project: string }) {
  const shown = [...useTrusts(project).values()].filter(({ lookedAt }) => lookedAt !== null);
  if (shown.length === 0) return null;
  return (
    <Panel
      title="Trust in the verifiers"
      aside={
        <Link href={`/p/${project}/calibration`} className="text-ink-2 hover:text-ink underline">
          Calibration
        </Link>
      }
    >
      <ul aria-label="Trust in the verifiers" className="grid grid-cols-[minmax(0,1fr)]">
        {shown.map((trust) => (
          <li
            key={trust.verifier}
            className="border-line flex min-h-8 flex-wrap items-center gap-x-3 border-b px-4 py-1 last:border-0"
          >
            <Link
              href={trustHref(project, trust.verifier)}
              className="text-12 w-40 truncate font-mono underline"
            >
              {trust.verifier}
            </Link>
            <span className="w-52">
              <TrustMark trust={trust} />
            </span>
            <span className="text-ink-2 min-w-0 [overflow-wrap:anywhere]">
              <VisibleText text={trust.gaps[0]?.text ?? ''} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
