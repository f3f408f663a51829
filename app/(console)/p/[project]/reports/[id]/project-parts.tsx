import Link from 'next/link';
import { quantityText } from '@/server/domain';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import {
  alertEventText,
  alertText,
  changeText,
  countsText,
  decisionText,
  findingsOf,
  measureText,
  moneyText,
  noFindingsText,
  reportedActionText,
  shareText,
} from '@/server/reports/input';
import { DocPart, DocTable, Figure, Name } from './doc-table';
import type { Report } from './report-document';

/** The sections about the project as a whole. */

const countText = (n: number): string => n.toLocaleString('en');

function NameText({ text }: { text: string }) {
  return (
    <Name>
      <VisibleText text={text} />
    </Name>
  );
}

function LeftOut({ n, noun }: { n: number; noun: string }) {
  return n === 0 ? null : <p className="text-12 text-ink-3">{quantityText(n, noun)} left out.</p>;
}

/** The report opens with the findings that need attention, before any table. */
export function FindingsPart({ report }: { report: Report }) {
  const findings = findingsOf(report);
  return (
    <DocPart title="Findings">
      {findings.length === 0 ? <p>{noFindingsText}</p> : null}
      <ul className="grid max-w-[88ch] gap-3">
        {findings.map(({ title, severity, since, message, advice, hasEnded }) => (
          <li key={`${title} ${since}`} className="[overflow-wrap:anywhere]">
            <p>
              <strong className="font-semibold">
                <VisibleText text={title} />
              </strong>{' '}
              <span className="text-12 text-ink-3">
                {severity} severity, {hasEnded ? 'ended, began' : 'since'}{' '}
                <Moment at={new Date(since)} />
              </span>
            </p>
            <p>
              <VisibleText text={message} />
            </p>
            {advice === null ? null : (
              <p className="text-ink-2">
                <VisibleText text={advice} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </DocPart>
  );
}

/** VS-38, SOAR-32. */
export function CostsPart({ report: { costs, verifiers } }: { report: Report }) {
  const row = (name: React.ReactNode, cost: Report['verifiers'][number]['cost']) => [
    name,
    countText(cost.verdicts),
    moneyText(cost.verifying_usd, cost.unpriced),
    moneyText(cost.verifying_costed_usd),
    cost.costed === 0 ? 'no data' : moneyText(cost.work_usd),
    shareText(cost.share),
    countText(cost.over_budget),
  ];
  return (
    <DocPart title="Verification cost and generation cost">
      <p className="max-w-[80ch]">
        Budget: {shareText(costs.budget_share)} of the cost of the verified work.{' '}
        {quantityText(costs.over_budget, 'verdict')} exceeded it.
      </p>
      <DocTable
        label="Verification cost and generation cost"
        heads={[
          'Verifier',
          'Verdicts',
          'Verification cost',
          'Of it, work with known cost',
          'Cost of that work',
          'Share',
          'Over budget',
        ]}
        rows={[
          ...verifiers
            .filter(({ cost }) => cost.verdicts > 0)
            .map(({ verifier, cost }) => row(<NameText key="name" text={verifier} />, cost)),
          row('All, each subject once', costs),
        ]}
      />
    </DocPart>
  );
}

export function ModelsPart({ report: { models, models_left_out: leftOut } }: { report: Report }) {
  if (models.length === 0) return null;
  return (
    <DocPart title="Models">
      <DocTable
        label="Models"
        heads={['Model', 'Verifier', 'Pass rate', 'Before', 'Change']}
        rows={models.map(({ model, verifier, pass_rate: rate, before }) => [
          model === null ? 'not named' : <NameText key="model" text={model} />,
          <NameText key="verifier" text={verifier} />,
          <Figure key="rate" text={measureText(rate)} />,
          countsText(before),
          <Figure key="change" text={changeText(before.difference)} />,
        ])}
      />
      <LeftOut n={leftOut} noun="row" />
    </DocPart>
  );
}

export function DebtPart({
  project,
  report: { label_debt: debt },
}: {
  project: string;
  report: Report;
}) {
  return (
    <DocPart title="Label debt">
      <p>
        {quantityText(debt.open_items, 'item')} in the{' '}
        <Link href={`/p/${project}/review`} className="underline">
          review queue
        </Link>
        {debt.oldest_at === null ? null : (
          <>
            , the oldest since <Moment at={new Date(debt.oldest_at)} />
          </>
        )}
        , when this report was created.{' '}
      </p>
      <DocTable
        label="Open items"
        heads={['Verifier', 'Open items', 'Of the random sample']}
        rows={debt.by_verifier.map(({ verifier, open, audit }) => [
          <NameText key="name" text={verifier} />,
          countText(open),
          countText(audit),
        ])}
      />
      <DocTable
        label="Missing labels"
        heads={['Verifier', 'Missing for the next trust state']}
        rows={debt.missing.map(({ verifier, text }) => [
          <NameText key="name" text={verifier} />,
          <VisibleText key="text" text={text} />,
        ])}
      />
    </DocPart>
  );
}

export function DecisionsPart({ report: { decisions, outcomes } }: { report: Report }) {
  return (
    <DocPart title="Decisions not run">
      <p>
        {quantityText(decisions.run, 'decision')} led to a verification,{' '}
        {countText(decisions.not_run)} did not.
      </p>
      <DocTable
        label="Decisions not run"
        heads={['Rule', 'Reason', 'Decisions']}
        rows={decisions.reasons.map(({ rule, state, count }) => [
          <NameText key="rule" text={rule} />,
          decisionText(state),
          countText(count),
        ])}
      />
      <DocTable
        label="Verdicts by outcome"
        heads={[
          'Verifier',
          'Passed',
          'Failed',
          'Need review',
          'Steered',
          'Inconclusive',
          'Skipped',
        ]}
        rows={outcomes.map((each) => [
          <NameText key="name" text={each.verifier} />,
          ...[
            each.passed,
            each.failed,
            each.needs_review,
            each.steered,
            each.inconclusive,
            each.skipped,
          ].map(countText),
        ])}
      />
    </DocPart>
  );
}

export function AlertsPart({ report: { alerts } }: { report: Report }) {
  const { events, events_left_out: leftOut } = alerts;
  return (
    <DocPart title="Alerts">
      {events.length === 0 ? <p>No alert began or ended in the period.</p> : null}
      <DocTable
        label="Alerts of the period"
        heads={['At', 'Alert', 'Event', 'Found', 'What']}
        rows={events.map(({ at, event, found, message, ...alert }) => [
          <Moment key="at" at={new Date(at)} />,
          <VisibleText key="name" text={alertText(alert)} />,
          alertEventText(event),
          countText(found),
          <VisibleText key="what" text={message} />,
        ])}
      />
      <LeftOut n={leftOut} noun="older event" />
    </DocPart>
  );
}

export function ChangesPart({
  report: { changes, changes_left_out: leftOut },
}: {
  report: Report;
}) {
  return (
    <DocPart title="Changes of settings, prompts and thresholds">
      {changes.length === 0 ? <p>None in the period.</p> : null}
      <DocTable
        label="Changes"
        heads={['At', 'Change', 'Of', 'By', 'Detail']}
        rows={changes.map(({ at, action, target, by, detail }) => [
          <Moment key="at" at={new Date(at)} />,
          reportedActionText(action),
          target === null ? '' : <NameText key="target" text={target} />,
          <VisibleText key="by" text={by} />,
          <VisibleText key="detail" text={detail} />,
        ])}
      />
      <LeftOut n={leftOut} noun="older change" />
    </DocPart>
  );
}
