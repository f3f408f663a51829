import Link from 'next/link';
import { trustHref } from '@/app/(console)/verifier-trust';
import { useTrusts } from '@/app/(console)/use-trusts';
import type { Measures } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { TrustMark } from '@/app/_ui/trust-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import type { Cell as CellName, Days } from '@/server/measures/input';
import { rowsHref, verifierHref } from '../addresses';
import { CountLink, MeasureText } from '../measure-text';

interface VerifierTableProps {
  label: string;
  project: string;
  days: Days;
  from: Date | null;
  verifiers: Measures['verifiers'];
}

/** People do not rule on single verdicts of imported judges, so those have no override rate. */
const headsOf = (imported: boolean): string[] => [
  imported ? 'Judge' : 'Verifier',
  ...(imported ? [] : ['Trust']),
  'Catch rate',
  'False rejections (of good subjects)',
  'Agreement',
  'Kappa',
  ...(imported ? [] : ['Override rate']),
  'Excluded',
];

export function VerifierTable({ label, project, days, from, verifiers }: VerifierTableProps) {
  return (
    <DataTable
      label={label}
      heads={headsOf(verifiers.every(({ origin }) => origin === 'imported'))}
    >
      {verifiers.map((each) => {
        const about = { project, verifier: each.verifier, origin: each.origin };
        const rows = (cell: CellName): string => rowsHref(about, cell, { from });
        const { rates } = each;
        return (
          <Row key={each.verifier}>
            <NameCell>
              <Link
                href={verifierHref(about, days)}
                title={plainText(each.verifier)}
                className="text-12 font-mono font-semibold underline"
              >
                <VisibleText text={each.verifier} />
              </Link>
            </NameCell>
            {each.origin === 'imported' ? null : (
              <Cell>
                <TrustLink project={project} verifier={each.verifier} />
              </Cell>
            )}
            <Cell>
              <MeasureText
                stacked
                name="catch rate"
                measure={rates.catchRate}
                numeratorHref={rows('caught')}
                denominatorHref={rows('bad')}
              />
            </Cell>
            <Cell>
              <MeasureText
                stacked
                name="false rejections"
                measure={rates.falseRejectionRate}
                numeratorHref={rows('rejected')}
                denominatorHref={rows('good')}
              />
            </Cell>
            <Cell>
              <MeasureText
                stacked
                name="agreement"
                measure={rates.agreement}
                numeratorHref={rows('agreed')}
                denominatorHref={rows('labelled')}
              />
            </Cell>
            <Cell>
              <MeasureText
                stacked
                name="kappa"
                measure={rates.kappa}
                numeratorHref={null}
                denominatorHref={rows('labelled')}
              />
            </Cell>
            {each.origin === 'imported' ? null : (
              <Cell>
                <MeasureText
                  stacked
                  name="override rate"
                  measure={rates.overrideRate}
                  numeratorHref={rows('overruled')}
                  denominatorHref={rows('ruled')}
                />
              </Cell>
            )}
            <Cell>
              <Outside counts={each.counts} href={rows} />
            </Cell>
          </Row>
        );
      })}
    </DataTable>
  );
}

function TrustLink({ project, verifier }: { project: string; verifier: string }) {
  const trust = useTrusts(project).get(verifier);
  if (trust === undefined) return <span className="text-ink-3">not known</span>;
  return (
    <Link
      href={trustHref(project, verifier)}
      title={trust.gaps[0]?.text}
      className="decoration-dotted underline-offset-4 [&_span]:underline"
    >
      <TrustMark trust={trust} />
    </Link>
  );
}

/** Verdicts that no rate counts, and unreadable replies, in any of their recorded forms. */
export function Outside({
  counts,
  href,
}: {
  counts: Pick<Measures['verifiers'][number]['counts'], 'undecided' | 'unparseable'>;
  href: (cell: CellName) => string;
}) {
  const { undecided, unparseable } = counts;
  if (undecided === 0 && unparseable === 0) return <span className="text-ink-3">none</span>;
  return (
    <span className="text-ink-2 inline-flex gap-3">
      {undecided > 0 ? (
        <span>
          <CountLink href={href('undecided')} count={undecided} name="not decided" /> not decided
        </span>
      ) : null}
      {unparseable > 0 ? (
        <span>
          <CountLink href={href('unparseable')} count={unparseable} name="unreadable replies" />{' '}
          unreadable
        </span>
      ) : null}
    </span>
  );
}
