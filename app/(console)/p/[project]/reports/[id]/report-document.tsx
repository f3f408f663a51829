import Link from 'next/link';
import type { StoredReport } from '@/app/_trpc/outputs';
import { quantityText } from '@/server/domain';
import { Moment } from '@/app/_ui/moment';
import { minSampleSize } from '@/app/_ui/rate';
import { VisibleText } from '@/app/_ui/visible-text';
import {
  kappaText,
  measureText,
  moneyText,
  summarySentences,
  trustWords,
} from '@/server/reports/input';
import {
  AlertsPart,
  ChangesPart,
  CostsPart,
  DebtPart,
  DecisionsPart,
  FindingsPart,
  ModelsPart,
} from './project-parts';
import { DocPart, DocTable, Figure, Name } from './doc-table';
import { VerifierPart } from './verifier-part';

export type Report = NonNullable<StoredReport['content']>;

/** A report as a document: from the findings to the details, and printable. */
export function ReportDocument({ project, report }: { project: string; report: Report }) {
  const { verifiers } = report;
  return (
    <article className="bg-surface border-line rounded-8 grid grid-cols-[minmax(0,1fr)] gap-8 border p-4 md:p-8 print:border-0 print:p-0">
      <FindingsPart report={report} />
      <DocPart title="Summary">
        <ul className="grid max-w-[80ch] list-disc gap-1 pl-5">
          {summarySentences(report).map((sentence) => (
            <li key={sentence} className="[overflow-wrap:anywhere]">
              <VisibleText text={sentence} />
            </li>
          ))}
        </ul>
        <p className="text-12 text-ink-3 max-w-[80ch]">
          Whole UTC days, compared with the equally long period from{' '}
          {report.before_from.slice(0, 10)}. Intervals are 95%. Fewer than {minSampleSize} cases
          have counts only; without cases there is no data. A missed failure is a bad subject that
          passed, a false rejection is a good subject that was flagged.
        </p>
      </DocPart>
      <Earlier project={project} report={report} />
      <DocPart title="Verifiers">
        {verifiers.length === 0 ? (
          <p className="text-ink-2">No verifier decided anything in this period.</p>
        ) : null}
        <DocTable
          label="Verifiers"
          heads={[
            'Verifier',
            'Trust',
            'Pass rate',
            'Corrected',
            'Catch rate',
            'False rejections',
            'Kappa',
            'Retry success',
            'Per caught defect',
          ]}
          rows={verifiers.map(({ verifier, trust, rates, cost, caught_cost: caught }) => [
            <Name key="name">
              <VisibleText text={verifier} />
            </Name>,
            trustWords[trust.state],
            <Figure key="pass" text={measureText(rates.pass_rate)} />,
            <Figure key="corrected" text={measureText(rates.corrected_pass_rate)} />,
            <Figure key="catch" text={measureText(rates.catch_rate)} />,
            <Figure key="rejections" text={measureText(rates.false_rejection_rate)} />,
            <Figure key="kappa" text={kappaText(rates.kappa)} />,
            <Figure key="retries" text={measureText(rates.retry_success)} />,
            <Figure
              key="cost"
              text={caught.usd === null ? 'no data' : moneyText(caught.usd, cost.unpriced)}
            />,
          ])}
        />
        {verifiers.map((part) => (
          <VerifierPart
            key={part.verifier}
            project={project}
            report={part}
            from={report.from}
            to={report.to}
          />
        ))}
      </DocPart>
      <CostsPart report={report} />
      <ModelsPart report={report} />
      <DebtPart project={project} report={report} />
      <DecisionsPart report={report} />
      <AlertsPart report={report} />
      <ChangesPart report={report} />
    </article>
  );
}

/**
 * later data does not change an existing report. Lists earlier reports of the period, and the
 * differences from them.
 */
function Earlier({
  project,
  report: { earlier, differences },
}: {
  project: string;
  report: Report;
}) {
  const [newest] = earlier;
  if (newest === undefined) return null;
  return (
    <DocPart title="Earlier reports">
      <p className="max-w-[80ch]">
        {quantityText(earlier.length, 'earlier report')} of this period{' '}
        {earlier.length === 1 ? 'stays as it is' : 'stay as they are'}; the newest was created{' '}
        <Link href={`/p/${project}/reports/${newest.id}`} className="underline">
          <Moment at={new Date(newest.made_at)} />
        </Link>
        . {differences.length === 0 ? 'Its counts are the same.' : 'Later data changed:'}
      </p>
      {differences.length === 0 ? null : (
        <ul className="grid max-w-[80ch] list-disc gap-1 pl-5">
          {differences.map((sentence) => (
            <li key={sentence} className="[overflow-wrap:anywhere]">
              <VisibleText text={sentence} />
            </li>
          ))}
        </ul>
      )}
    </DocPart>
  );
}
