'use client';

import Link from 'next/link';
import { useRef } from 'react';
import type { Threshold, ThresholdChange } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { useRowKeys } from '../verdicts/(list)/use-row-keys';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { wordsOf } from '../verifiers/kinds';
import { thresholdHref } from './addresses';
import { currentValueOf } from './threshold-values';
import { scopeText, sourceText } from './threshold-words';

interface ThresholdIndexProps {
  project: string;
  thresholds: readonly Threshold[];
  changes: readonly ThresholdChange[];
}

const wholeProject = { missionId: null, taskId: null };

/** Every threshold, and who changed it last. */
export function ThresholdIndex({ project, thresholds, changes }: ThresholdIndexProps) {
  const area = useRef<HTMLTableElement>(null);
  useRowKeys(area, '[data-row]');
  return (
    <PageBody>
      <PageHead
        title="Thresholds"
        sub="The limits that scores are compared with. Try another value on labelled verdicts before you apply it."
      />
      <Panel
        title="Current thresholds"
        aside={<span className="text-12 text-ink-3">A change applies to new verdicts only</span>}
      >
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Thresholds, table">
          <table
            ref={area}
            aria-label="Thresholds"
            className="w-full min-w-[760px] table-fixed border-collapse"
          >
            <thead className="text-12 text-ink-2">
              <tr className="border-line h-8 border-b">
                <th scope="col" className="w-36 pl-4">
                  Verifier
                </th>
                <th scope="col" className="w-52 px-2">
                  Threshold
                </th>
                <th scope="col" className="w-20 px-2 text-right">
                  Value
                </th>
                <th scope="col" className="w-64 px-2">
                  Source
                </th>
                <th scope="col" className="px-2">
                  Last change
                </th>
                <th scope="col" className="w-28 pr-4 text-right">
                  Age
                </th>
              </tr>
            </thead>
            <tbody>
              {thresholds.map((threshold) => (
                <IndexRow
                  key={`${threshold.verifier} ${threshold.key}`}
                  project={project}
                  threshold={threshold}
                  last={
                    changes.find(
                      (change) =>
                        change.verifier === threshold.verifier && change.key === threshold.key,
                    ) ?? null
                  }
                />
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
    </PageBody>
  );
}

interface IndexRowProps {
  project: string;
  threshold: Threshold;
  /** The newest change in any scope; null if never changed. */
  last: ThresholdChange | null;
}

/** The key is the link; it covers its row. */
function IndexRow({ project, threshold, last }: IndexRowProps) {
  const { verifier, key, meaning } = threshold;
  const narrower = threshold.set.filter(
    ({ missionId, taskId }) => missionId !== null || taskId !== null,
  ).length;
  const change = last === null ? null : changeText(last);
  return (
    <tr className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0">
      <td className="truncate pl-4">{wordsOf(verifier).label}</td>
      <th scope="row" className="truncate px-2 font-normal" title={meaning}>
        <Link
          href={thresholdHref(project, { verifier, key })}
          data-row={`${verifier} ${key}`}
          prefetch={false}
          aria-label={`${key} of ${wordsOf(verifier).label}`}
          className="row-link text-12 font-mono"
        >
          {key}
        </Link>
      </th>
      <td className="px-2 text-right font-semibold">{plainNumber(threshold.value)}</td>
      <td className="truncate px-2">
        {sourceText(currentValueOf(threshold, wholeProject))}
        {narrower === 0 ? null : <span className="text-ink-3">, {narrower} narrower</span>}
      </td>
      <td className="truncate px-2" title={change === null ? undefined : plainText(change)}>
        {change === null ? <span className="text-ink-3">none</span> : <VisibleText text={change} />}
      </td>
      <td className="text-ink-3 pr-4 text-right whitespace-nowrap">
        {last === null ? null : <Age at={last.at} />}
      </td>
    </tr>
  );
}

/**
 * `0.7 to 0.6 by olga@example.com: too many false rejections`, with its scope if it is not the
 * whole project.
 */
function changeText(change: ThresholdChange): string {
  const { before, value, by, reason, missionId, taskId } = change;
  const to =
    value === null
      ? 'removed'
      : before === null
        ? `set to ${plainNumber(value)}`
        : `${plainNumber(before)} to ${plainNumber(value)}`;
  const scope = missionId === null && taskId === null ? '' : ` for ${scopeText(change)}`;
  return `${to}${scope} by ${by}${reason === null ? '' : `: ${reason}`}`;
}
