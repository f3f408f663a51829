'use client';

import Link from 'next/link';
import { rememberOrigin } from '@/app/(console)/list-origin';
import type { Flip } from '@/app/_trpc/outputs';
import { DataTable } from '@/app/_ui/data-table';
import { Age } from '@/app/_ui/moment';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { effectText } from './threshold-words';

interface FlipTableProps {
  label: string;
  project: string;
  flips: readonly Flip[];
}

/** Each links to its verdict, to be read before the value is applied. */
export function FlipTable({ label, project, flips }: FlipTableProps) {
  return (
    <DataTable
      label={label}
      heads={['Verdict', 'Score', 'Current', 'Candidate', 'Truth', 'Effect', 'Age']}
    >
      {flips.map((flip) => (
        <tr key={flip.verdictId} className="border-line hover:bg-hover h-8 border-b last:border-0">
          <th scope="row" className="max-w-80 truncate px-4 font-normal whitespace-nowrap">
            <Link
              href={`/p/${project}/verdicts/${encodeURIComponent(flip.verdictId)}`}
              data-flip={flip.verdictId}
              prefetch={false}
              onClick={() =>
                rememberOrigin(
                  `/p/${project}/verdicts/${encodeURIComponent(flip.verdictId)}`,
                  'Verdicts that would flip',
                )
              }
              className="underline [unicode-bidi:isolate]"
              title={plainText(flip.excerpt)}
            >
              {flip.excerpt === '' ? (
                <code className="text-12 font-mono">{flip.verdictId}</code>
              ) : (
                <VisibleText text={flip.excerpt} />
              )}
            </Link>
          </th>
          <td className="px-4 whitespace-nowrap">
            {flip.score === null ? (
              <span className="text-ink-3">none</span>
            ) : (
              plainNumber(flip.score)
            )}
          </td>
          <td className="px-4">
            <VerdictBadge {...flip.before} />
          </td>
          <td className="px-4">
            <VerdictBadge {...flip.after} />
          </td>
          <td className="px-4 whitespace-nowrap">
            {flip.good === null ? (
              <span className="text-ink-3">not known</span>
            ) : flip.good ? (
              'Good'
            ) : (
              'Bad'
            )}
          </td>
          <td className="px-4 whitespace-nowrap">{effectText(flip)}</td>
          <td className="text-ink-3 px-4 whitespace-nowrap">
            <Age at={flip.settledAt} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
