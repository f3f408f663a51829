import Link from 'next/link';
import type { CalibrationReport } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Panel } from '@/app/_ui/panel';
import { pText } from '@/app/_ui/rate';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import type { Days } from '@/server/measures/input';
import { type About, rowsHref, sliceName, verifierHref } from '../addresses';
import { MeasureText } from '../measure-text';

/**
 * The verifier's results in parts of the traffic; a difference is reported only if it is
 * significant after adjusting for all comparisons.
 */
export function SlicePanel({
  about,
  report,
  days,
}: {
  about: About;
  report: CalibrationReport;
  days: Days;
}) {
  const groups = report.slices.filter(({ rows }) => rows.length > 0);
  return (
    <Panel
      title="Slices"
      aside={
        <span className="text-12 text-ink-3">
          p: this rate against the rest’s by Fisher’s exact test, adjusted over all tests of the
          table (Benjamini–Hochberg)
        </span>
      }
    >
      {groups.map(({ by, rows }) => (
        <section key={by} aria-label={sliceName[by]} className="border-line border-b last:border-0">
          <DataTable
            label={`Slices by ${sliceName[by].toLowerCase()}`}
            heads={[
              sliceName[by],
              'Labelled',
              'Catch rate',
              'Catch against the rest, p',
              'False rejections (of good subjects)',
              'False rejections against the rest, p',
            ]}
          >
            {rows.map(({ slice, labelled, catchRate, falseRejectionRate, adjustedP }) => {
              const part = { ...about, by: slice.by, of: slice.value };
              const href = (cell: 'caught' | 'bad' | 'rejected' | 'good'): string =>
                rowsHref(part, cell, { from: report.from });
              return (
                <Row key={slice.value}>
                  <NameCell>
                    <Link
                      href={verifierHref(part, days)}
                      prefetch={false}
                      title={plainText(slice.value)}
                      className="underline"
                    >
                      {slice.value === '' ? (
                        <span className="text-ink-3">unknown</span>
                      ) : (
                        <VisibleText text={slice.value} />
                      )}
                    </Link>
                  </NameCell>
                  <Cell>{labelled.toLocaleString('en')}</Cell>
                  <Cell>
                    <MeasureText
                      stacked
                      name={`catch rate of ${plainText(slice.value)}`}
                      measure={catchRate}
                      numeratorHref={href('caught')}
                      denominatorHref={href('bad')}
                    />
                  </Cell>
                  <Cell>
                    <AdjustedP p={adjustedP.catchRate} />
                  </Cell>
                  <Cell>
                    <MeasureText
                      stacked
                      name={`false rejections of ${plainText(slice.value)}`}
                      measure={falseRejectionRate}
                      numeratorHref={href('rejected')}
                      denominatorHref={href('good')}
                    />
                  </Cell>
                  <Cell>
                    <AdjustedP p={adjustedP.falseRejectionRate} />
                  </Cell>
                </Row>
              );
            })}
          </DataTable>
        </section>
      ))}
    </Panel>
  );
}

function AdjustedP({ p }: { p: number | null }) {
  if (p === null) return <span className="text-ink-3">no test</span>;
  return (
    <span className={p < 0.05 ? 'font-semibold' : ''}>
      {pText(p)}
      {p < 0.05 ? ' differs' : ''}
    </span>
  );
}
