import Link from 'next/link';
import { quantityText } from '@/server/domain';
import { Moment } from '@/app/_ui/moment';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import {
  ceilingText,
  changeText,
  costText,
  countsText,
  correlationText,
  kappaText,
  measureText,
  methodText,
  outsideText,
  trustWords,
} from '@/server/reports/input';
import { rowsHref } from '../../calibration/addresses';
import { DocTable, Figure, Name } from './doc-table';
import type { Report } from './report-document';

type VerifierReport = Report['verifiers'][number];

interface VerifierPartProps {
  project: string;
  report: VerifierReport;
  from: string;
  to: string;
}

const countText = (n: number): string => n.toLocaleString('en');

/** The section about one verifier. */
export function VerifierPart({ project, report, from, to }: VerifierPartProps) {
  const { verifier, matrix, rates, corrected, trust } = report;
  const about = { project, verifier, origin: 'verifier' as const };
  const period = { from: new Date(from), to: new Date(to) };
  const count = (n: number, what: string, cell: 'caught' | 'missed' | 'rejected' | 'passed') => (
    <>
      <Link
        href={rowsHref(about, cell, period)}
        prefetch={false}
        className="underline"
        aria-label={`${countText(n)} ${what} of ${plainText(verifier)}`}
      >
        {countText(n)}
      </Link>{' '}
      {what}
    </>
  );
  const outside = outsideText(report);
  const method = methodText(corrected.shown);
  return (
    <section
      aria-label={`Verifier ${plainText(verifier)}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-3"
    >
      <h3 className="text-14 font-semibold">
        <Name>
          <VisibleText text={verifier} />
        </Name>
      </h3>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="grid content-start gap-2">
          <DocTable
            label={`Matrix of ${plainText(verifier)}`}
            heads={['', 'Bad', 'Good']}
            rows={[
              [
                'Flagged',
                count(matrix.caught, 'caught', 'caught'),
                count(matrix.false_rejections, 'false rejections', 'rejected'),
              ],
              [
                'Passed',
                count(matrix.missed, 'missed failures', 'missed'),
                count(matrix.right_passes, 'correct passes', 'passed'),
              ],
            ]}
          />
          {outside === null ? null : (
            <p className="text-12 text-ink-2">Outside of every rate: {outside}.</p>
          )}
        </div>
        <BeforeTable report={report} />
      </div>
      <dl className="grid max-w-[100ch] gap-x-6 gap-y-1 md:grid-cols-[160px_minmax(0,1fr)]">
        <Fact name="Trust">
          {trustWords[trust.state]}
          {trust.version === null ? '' : `, version ${trust.version}`}
          {trust.judge === null ? null : (
            <>
              , judged by{' '}
              <Name>
                <VisibleText text={trust.judge} />
              </Name>
            </>
          )}
          {trust.gaps.map(({ text }) => (
            <span key={text} className="text-ink-2 block">
              <VisibleText text={text} />
            </span>
          ))}
        </Fact>
        <Fact name="Corrected pass rate">
          {measureText(rates.corrected_pass_rate)}
          {method === null ? '' : `, ${method}`}; naive {measureText(rates.pass_rate)}.{' '}
          <span className="text-ink-2">{corrected.why}</span>
          {corrected.disagree
            ? ' The two corrections differ by more than their joint error: check how labels were chosen.'
            : ''}
        </Fact>
        <Fact name="Kappa with people">
          {kappaText(rates.kappa)}. <span className="text-ink-2">{ceilingText(report)}</span>
        </Fact>
        <Fact name="Scores with labels">Correlation {correlationText(rates.correlation)}.</Fact>
        <Fact name="Rejections of all">
          {measureText(rates.false_positive_rate)}: false rejections of all with truth. Overruled by
          people: {measureText(rates.override_rate)}.
        </Fact>
        <Fact name="Cost">{costText(report)}</Fact>
      </dl>
      <DriftPart report={report} />
      <OutweighingPart report={report} />
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 pb-1 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

function BeforeTable({ report: { verifier, rates, before } }: { report: VerifierReport }) {
  const rows = [
    ['Pass rate', rates.pass_rate, before.pass_rate],
    ['Catch rate', rates.catch_rate, before.catch_rate],
    ['False rejections', rates.false_rejection_rate, before.false_rejection_rate],
  ] as const;
  return (
    <DocTable
      label={`${plainText(verifier)} against the period before`}
      heads={['Compared with previous period', 'Now', 'Before', 'Change']}
      rows={rows
        .filter(([, now, old]) => now.denominator + old.denominator > 0)
        .map(([name, now, old]) => [
          name,
          <Figure key="now" text={measureText(now)} />,
          countsText(old),
          <Figure key="change" text={changeText(old.difference)} />,
        ])}
    />
  );
}

function DriftPart({ report: { verifier, drift } }: { report: VerifierReport }) {
  if (drift === null) return null;
  const { set, before, after, flips, better, worse, p } = drift;
  const part = ({ value, low, high }: typeof drift.headline): string =>
    value === null || low === null || high === null ? 'no data' : changeText({ value, low, high });
  return (
    <div className="grid gap-2">
      <p className="max-w-[100ch] [overflow-wrap:anywhere]">
        Drift on the anchor set <VisibleText text={set.name} /> ({quantityText(set.items, 'item')}),
        from <Moment at={new Date(before.at)} /> to <Moment at={new Date(after.at)} />:{' '}
        {measureText(flips)} decided differently, {countText(better)} became right,{' '}
        {countText(worse)} became wrong
        {p === null ? '' : ` (p ${p.toFixed(4)})`}.
      </p>
      <DocTable
        label={`Drift of ${plainText(verifier)}`}
        heads={['Change of the pass rate', 'Difference']}
        rows={[
          ['In production', part(drift.headline)],
          ['Due to the judge', part(drift.judge_part)],
          ['Due to the system', part(drift.system_part)],
        ]}
      />
    </div>
  );
}

function OutweighingPart({ report: { verifier, outweighing } }: { report: VerifierReport }) {
  if (outweighing.length === 0) return null;
  return (
    <div className="grid gap-2">
      <p>Not counted, because one account would outvote all others and disagrees with them:</p>
      <DocTable
        label={`Accounts that outweigh for ${plainText(verifier)}`}
        heads={['Account', 'Rulings', 'Overruled', 'Counted', 'Of all others', 'They overruled']}
        rows={outweighing.map((each) => [
          <VisibleText key="by" text={each.by} />,
          countText(each.rulings),
          countText(each.overruled),
          countText(each.counted),
          countText(each.others),
          countText(each.others_overruled),
        ])}
      />
    </div>
  );
}
