'use client';

import Link from 'next/link';
import { useRef } from 'react';
import { useTrusts } from '@/app/(console)/use-trusts';
import type { PromptSummary, Rule, Threshold, Verifier } from '@/app/_trpc/outputs';
import { TrustMark } from '@/app/_ui/trust-mark';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { plainNumber } from '../../verdicts/[id]/subject/words';
import { coverageOf, coverageText } from '../coverage';
import { wordsOf } from '../kinds';

interface VerifierTableProps {
  project: string;
  verifiers: readonly Verifier[];
  prompts: readonly PromptSummary[];
  thresholds: readonly Threshold[];
  rules: readonly Rule[];
}

/** The name is the link; it covers its row. */
export function VerifierTable({
  project,
  verifiers,
  prompts,
  thresholds,
  rules,
}: VerifierTableProps) {
  const area = useRef<HTMLTableElement>(null);
  useRowKeys(area, '[data-row]');
  const trusts = useTrusts(project);
  return (
    <table ref={area} aria-label="Verifiers" className="w-full table-fixed border-collapse">
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="w-32 pl-4">
            Verifier
          </th>
          <th scope="col" className="hidden px-2 md:table-cell">
            Judges
          </th>
          <th scope="col" className="w-36 px-2">
            Trust
          </th>
          <th scope="col" className="hidden w-44 px-2 md:table-cell" title="Sent by rules, 7 days">
            Coverage
          </th>
          <th scope="col" className="hidden w-36 px-2 xl:table-cell">
            Asks
          </th>
          <th scope="col" className="hidden w-40 px-2 md:table-cell">
            Passes from
          </th>
          <th scope="col" className="w-20 pr-4 text-right">
            Version
          </th>
        </tr>
      </thead>
      <tbody>
        {verifiers.map(({ slug, version }) => {
          const promptCount = prompts.filter(({ kind }) => kind === slug).length;
          const trust = trusts.get(slug);
          const coverage = coverageText(coverageOf(rules, slug));
          const ownThresholds = thresholds.filter(({ verifier }) => verifier === slug);
          return (
            <tr
              key={slug}
              className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
            >
              <td className="truncate pl-4">
                <Link
                  href={`/p/${project}/verifiers/${encodeURIComponent(slug)}`}
                  data-row={slug}
                  prefetch={false}
                  className="row-link"
                >
                  {wordsOf(slug).label}
                </Link>
              </td>
              <td
                className="text-ink-2 hidden truncate px-2 md:table-cell"
                title={wordsOf(slug).judges}
              >
                {wordsOf(slug).judges}
              </td>
              <td className="truncate px-2" title={trust?.gaps[0]?.text}>
                {trust === undefined ? null : <TrustMark trust={trust} />}
              </td>
              <td className="hidden truncate px-2 md:table-cell" title={coverage}>
                {coverage}
              </td>
              <td className="hidden truncate px-2 xl:table-cell">
                {promptCount === 0 ? (
                  <span className="text-ink-3">no model</span>
                ) : (
                  `${promptCount} ${promptCount === 1 ? 'prompt' : 'prompts'}`
                )}
              </td>
              <td className="hidden truncate px-2 md:table-cell">
                <PassesFrom thresholds={ownThresholds} />
              </td>
              <td className="pr-4 text-right">{version}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** @internal One limit decides; or several do, each of a part of the work; or it counts. */
export function PassesFrom({
  thresholds,
}: {
  thresholds: readonly Pick<Threshold, 'key' | 'value' | 'source'>[];
}) {
  const pass = thresholds.find(({ key }) => key === 'pass_threshold');
  if (pass !== undefined) {
    return (
      <>
        {plainNumber(pass.value)} <span className="text-ink-3">{pass.source}</span>
      </>
    );
  }
  if (thresholds.length === 0) return <span className="text-ink-3">counts, no threshold</span>;
  return `${thresholds.length} ${thresholds.length === 1 ? 'threshold' : 'thresholds'}`;
}
