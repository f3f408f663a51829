import Link from 'next/link';
import { rememberOrigin } from '@/app/(console)/list-origin';
import type { LabelledVerdictPage } from '@/app/_trpc/outputs';
import { Cell, DataTable, Row } from '@/app/_ui/data-table';
import { Moment } from '@/app/_ui/moment';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { plainText, VisibleText } from '@/app/_ui/visible-text';

type Judgement = LabelledVerdictPage['items'][number];

const heads = ['Subject', 'Verdict', 'Truth', 'Truth source', 'Time'];
const truthFrom = {
  override: 'a ruling by',
  outcome: 'an outcome reported by',
  import: 'an imported label by',
} as const;

interface JudgementTableProps {
  project: string;
  rows: readonly Judgement[];
  /** Label of these rows, for the link back from one of them. */
  name: string;
}

export function JudgementTable({ project, rows, name }: JudgementTableProps) {
  return (
    <DataTable label="Rows" heads={heads}>
      {rows.map((row) => (
        <Row key={row.id}>
          <SubjectCell project={project} row={row} name={name} />
          <Cell>
            <span className="inline-flex items-center gap-2">
              {row.unread && row.machine !== null ? 'unreadable, taken as' : null}
              {row.machine === null ? (
                <span className="text-ink-3">
                  {row.unread ? 'unreadable' : plainText(row.word)}
                </span>
              ) : (
                <VerdictBadge outcome={row.machine} verdict={row.word} />
              )}
              {row.version === null ? null : (
                <span className="text-12 text-ink-3">version {row.version}</span>
              )}
            </span>
          </Cell>
          <Cell>
            {row.good === null ? (
              <span className="text-ink-3">not known</span>
            ) : row.good ? (
              'Good'
            ) : (
              'Bad'
            )}
            {row.overruled === true ? <span className="text-ink-2">, overridden</span> : null}
          </Cell>
          <td className="max-w-64 truncate px-4 whitespace-nowrap">
            {row.truthOf === null ? (
              <span className="text-ink-3">none</span>
            ) : (
              <span title={plainText(row.rater ?? '')}>
                {truthFrom[row.truthOf]} <VisibleText text={row.rater ?? 'unknown'} />
              </span>
            )}
          </td>
          <Cell>
            <Moment at={row.at} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  );
}

/** The answer, or else the subject's id, linking to the verdict, the turn or the session. */
function SubjectCell({ project, row, name }: { project: string; row: Judgement; name: string }) {
  const to =
    row.verdictId !== null
      ? `verdicts/${encodeURIComponent(row.verdictId)}`
      : row.turnId !== null
        ? `turns/${encodeURIComponent(row.turnId)}`
        : `sessions/${encodeURIComponent(row.subjectId)}`;
  const isAnswer = row.verdictId !== null && row.excerpt !== '';
  return (
    <th scope="row" className="max-w-96 truncate px-4 font-normal whitespace-nowrap">
      <Link
        href={`/p/${project}/${to}`}
        prefetch={false}
        onClick={() => rememberOrigin(`/p/${project}/${to}`, name)}
        className="underline [unicode-bidi:isolate]"
        title={plainText(row.subjectId)}
      >
        {isAnswer ? (
          <VisibleText text={row.excerpt} />
        ) : (
          <code className="text-12 font-mono">
            <VisibleText text={row.subjectId} />
          </code>
        )}
      </Link>
      {!isAnswer && row.excerpt !== '' ? (
        <span className="text-12 text-ink-3">
          {' '}
          <VisibleText text={row.excerpt} />
        </span>
      ) : null}
    </th>
  );
}
