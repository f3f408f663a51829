import Link from 'next/link';
import type { Trial, TrialRow } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { optionNames } from './trial-words';

const truthText: Record<TrialRow['truthOf'], string> = {
  override: 'by a person',
  outcome: 'outcome',
  import: 'imported',
};

/** The subjects on which the two options differ; for a single option, those it got wrong. */
export function TrialRows({ project, trial }: { project: string; trial: Trial }) {
  const { rows } = trial;
  const { candidate, other } = optionNames(trial);
  const alone = other === null;
  const shown = rows
    .filter((row) => (alone ? !isRight(row) : row.isFlip))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const title = alone ? 'Wrong' : 'Flips';
  return (
    <section aria-label={title} className="border-line min-w-0 border-t">
      <h3 className="px-4 pt-3 pb-1 font-semibold">
        {title} <span className="text-ink-3 font-normal">{shown.length.toLocaleString('en')}</span>
      </h3>
      {shown.length === 0 ? (
        <p className="text-ink-2 px-4 pb-3">
          {alone
            ? 'It was right about every subject so far.'
            : 'Both agree on every subject so far.'}
        </p>
      ) : (
        <div className="max-h-[60vh] overflow-y-auto">
          <DataTable
            label={title}
            heads={['Subject', 'Truth', candidate, ...(alone ? [] : [other]), 'Why']}
          >
            {shown.map((row) => (
              <Row key={row.subjectId}>
                <NameCell>
                  <SubjectLink project={project} row={row} />
                </NameCell>
                <Cell>
                  {row.good ? 'good' : 'bad'}{' '}
                  <span className="text-ink-3">{truthText[row.truthOf]}</span>
                </Cell>
                <Cell>
                  <VerdictBadge {...row} />
                </Cell>
                {row.production === null ? null : (
                  <Cell>
                    <VerdictBadge {...row.production} />
                  </Cell>
                )}
                <td
                  className="max-w-80 truncate px-4"
                  title={row.reason === null ? undefined : plainText(row.reason)}
                >
                  {row.reason === null ? (
                    <span className="text-ink-3">nothing found</span>
                  ) : (
                    <VisibleText text={row.reason} />
                  )}
                </td>
              </Row>
            ))}
          </DataTable>
        </div>
      )}
    </section>
  );
}

function SubjectLink({ project, row }: { project: string; row: TrialRow }) {
  const name = row.excerpt === '' ? row.subjectId : row.excerpt;
  if (row.verdictId === null) return <VisibleText text={name} />;
  return (
    <Link href={`/p/${project}/verdicts/${row.verdictId}`} prefetch={false} className="underline">
      <VisibleText text={name} />
    </Link>
  );
}

/** Losses of the candidate version first, then gains, then undecided subjects. */
function rankOf(row: TrialRow): number {
  if (row.outcome !== 'passed' && row.outcome !== 'failed') return 2;
  return isRight(row) ? 1 : 0;
}

function isRight({ outcome, good }: TrialRow): boolean {
  return good ? outcome === 'passed' : outcome === 'failed';
}
