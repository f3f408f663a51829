'use client';

import { useLocale } from '@/app/_ui/use-locale';
import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { useTrusts } from '@/app/(console)/use-trusts';
import { VerifierTrust } from '@/app/(console)/verifier-trust';
import { problemOf } from '@/app/_trpc/problem';
import type { CalibrationReport, VerifierDetail } from '@/app/_trpc/outputs';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import { Tabs } from '@/app/_ui/tabs';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { readVerifierName, seriesOf } from '@/server/domain';
import { wordsOf } from '../../verifiers/kinds';
import { type About, type VerifierTab, verifierHref, viewParsers } from '../addresses';
import { PeriodNav } from '../period-nav';
import { AlertPanel } from './alert-panel';
import { answerText } from './answer';
import { OutweighingPanel } from './outweighing-panel';
import { choosePanels } from './panels';
import { Selectors } from './selectors';
import { TabPanels } from './tab-panels';
import { type FirstRead, useVerifier } from './use-verifier';

const ImportedPanels = dynamic(() =>
  import('../imported-panels').then((module) => module.ImportedPanels),
);

const tabNames: Record<VerifierTab, string> = {
  rates: 'Rates',
  scores: 'Scores',
  people: 'People',
  slices: 'Slices',
  stability: 'Stability',
  cost: 'Cost',
};

/** How far one verifier can be trusted: one sentence, then the measurements in tabs. */
export function VerifierView(read: FirstRead) {
  const { first, initial } = read;
  const { project } = first;
  const [{ days, tab, verifier: named, ...chosen }, setAddress] = useQueryStates(viewParsers, {
    history: 'push',
  });
  const about: About = { project, ...chosen, verifier: named ?? first.verifier };
  const { verifier } = about;
  const found = useVerifier(about, days, read);
  const { isOwn, isPart, data, measures, report } = found;
  const { shown, tabs, missing } = choosePanels(data, found);
  const currentTab = tabs.includes(tab) ? tab : (tabs[0] ?? 'rates');
  const panels = (
    <TabPanels
      tab={currentTab}
      about={about}
      days={days}
      data={data}
      shown={shown}
      changes={found.marks}
      isLoading={measures.isFetching || report.isFetching || found.charts.isFetching}
    />
  );
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[{ name: 'Calibration', href: `/p/${project}/calibration?days=${days}` }]}
            pageName={verifier}
          />
        }
        title={`Calibration of ${plainText(verifier)}`}
        sub={`${isOwn ? '' : 'Imported judge. '}${knownText(data.shown, isOwn, isPart)}${pendingText(data.report)}`}
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <LiveMark state={found.live} readAt={measures.dataUpdatedAt} />
          {isOwn ? (
            <VerifierTrust
              project={project}
              verifier={seriesOf(readVerifierName(verifier))}
              at="end"
            />
          ) : null}
          {isOwn ? (
            <Selectors
              about={about}
              judges={(measures.data ?? initial).judges}
              report={report.data ?? null}
              onChange={(change) => void setAddress(change)}
            />
          ) : null}
          <PeriodNav days={days} hrefOf={(each) => verifierHref(about, each, currentTab)} />
        </div>
      </PageHead>
      {data.shown === null || hasNoRates(data.shown.counts, isOwn) ? null : (
        <Answer about={about} measures={data.shown} coversWholeVerifier={found.isSeries} />
      )}
      <Problems found={found} />
      <OutweighingPanel outweighing={(data.shown ?? initial).outweighing} />
      {data.report === null ? null : (
        <AlertPanel project={project} verifier={verifier} alerts={data.report.alerts} />
      )}
      {tabs.length <= 1 ? (
        panels
      ) : (
        <Tabs
          label="Measurements"
          tabs={tabs.map((key) => ({ key, name: tabNames[key] }))}
          here={currentTab}
          onSelect={(key) => void setAddress({ tab: key })}
        >
          {panels}
        </Tabs>
      )}
      {isOwn ? null : <ImportedPanels project={project} judge={verifier} />}
      {missing === null ? null : <p className="text-ink-3 max-w-[100ch]">{missing}</p>}
    </PageBody>
  );
}

interface AnswerProps {
  about: About;
  measures: VerifierDetail | CalibrationReport;
  /** Trust is of the whole verifier, not of a version, judge, policy or slice. */
  coversWholeVerifier: boolean;
}

function Answer({
  about: { project, verifier, origin },
  measures,
  coversWholeVerifier,
}: AnswerProps) {
  const trust = useTrusts(project).get(verifier);
  const { catchRate, falseRejectionRate } = measures.rates;
  const name = origin === 'verifier' ? wordsOf(readVerifierName(verifier).slug).label : verifier;
  const locale = useLocale();
  return (
    <p className="text-16 max-w-[90ch]">
      <VisibleText
        text={answerText({
          name,
          catchRate,
          falseRejectionRate,
          locale,
          trust: coversWholeVerifier ? trust : undefined,
        })}
      />
    </p>
  );
}

/** Each request fails separately: the others keep their data. */
function Problems({
  found: { measures, report, charts },
}: {
  found: ReturnType<typeof useVerifier>;
}) {
  const failed = [
    { what: 'The measures could not be refreshed', query: measures },
    { what: 'The report could not be read', query: report },
    { what: 'Scores and costs could not be read', query: charts },
  ].filter(({ query }) => query.error !== null);
  return failed.map(({ what, query }) => (
    <ErrorPanel
      key={what}
      what={what}
      works="The page shows the other measurements; verification continues."
      problem={problemOf(query.error)}
      onRetry={() => void query.refetch()}
    />
  ));
}

/**
 * Judges of pairs, classes or grades never pass or fail: a sentence about their rates would be
 * meaningless.
 */
function hasNoRates(
  { caught, missed, rejected, passed, undecided, unparseable, decided }: VerifierDetail['counts'],
  isOwn: boolean,
): boolean {
  return !isOwn && caught + missed + rejected + passed + undecided + unparseable + decided === 0;
}

function knownText(
  shown: VerifierDetail | CalibrationReport | null,
  isOwn: boolean,
  isPart: boolean,
): string {
  if (shown === null || hasNoRates(shown.counts, isOwn)) return '';
  const decided =
    isOwn && !isPart ? ` of ${shown.counts.decided.toLocaleString('en')} decided` : '';
  return `${shown.rates.agreement.denominator.toLocaleString('en')}${decided} verdicts have a label.`;
}

function pendingText(report: { readonly pending: number } | null): string {
  if (report === null || report.pending === 0) return '';
  return ` ${report.pending.toLocaleString('en')} ${report.pending === 1 ? 'label is' : 'labels are'} not counted in yet.`;
}
