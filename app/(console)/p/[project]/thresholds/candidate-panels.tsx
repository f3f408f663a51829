'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Threshold } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Empty, ErrorPanel, Panel, Skeleton } from '@/app/_ui/panel';
import { reviewQuery } from '../review/filters';
import { type ThresholdAddress, thresholdHref, flipsHref, type StagedValue } from './addresses';
import { ComparePanel } from './compare-panel';
import { type CurrentValue, sweepValues } from './threshold-values';
import { FlipPanel } from './flip-panel';
import { MovePanel } from './move-panel';
import { OutcomePanel } from './outcome-panel';
import { SuggestionPanel } from './suggestion-panel';
import { SweepPanel } from './sweep-panel';
import { useSimulation } from './use-simulation';

interface CandidatePanelsProps {
  project: string;
  address: ThresholdAddress;
  threshold: Threshold;
  currentValue: CurrentValue;
  candidate: number;
  /** The current values of every key in the scope. */
  otherStaged: readonly StagedValue[];
  onChange: (
    change: Partial<Pick<ThresholdAddress, 'value' | 'miss' | 'reject' | 'review'>>,
  ) => void;
  staged: ReactNode;
}

/**
 * Changes one key: the verdicts that would flip, how often the verifier would be right, and the
 * cost.
 */
export function CandidatePanels({
  project,
  address,
  threshold,
  currentValue,
  candidate,
  otherStaged,
  onChange,
  staged,
}: CandidatePanelsProps) {
  const { verifier, key } = threshold;
  const sweep = sweepValues(threshold, otherStaged);
  const { candidateQuery, sweepQuery, figures, isBehind } = useSimulation({
    project,
    verifier,
    threshold: key,
    address,
    candidate,
    sweep,
  });
  const { data, error } = candidateQuery;
  const shown = data?.candidates[0];
  const isOther = shown !== undefined && shown.value !== data?.current;
  // A threshold of work without labels has no plot.
  const histogram = data === undefined || data.labelled > 0 ? data?.histogram : null;
  return (
    <>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <MovePanel
          threshold={threshold}
          currentValue={currentValue}
          candidate={candidate}
          otherStaged={otherStaged}
          fault={!isBehind && shown?.value === candidate ? shown.fault : null}
          prices={address}
          histogram={histogram}
          figures={figures?.value === candidate ? figures : undefined}
          onChange={onChange}
        />
        <div className="grid gap-4">
          {data === undefined || figures === undefined || data.labelled === 0 ? null : (
            <OutcomePanel
              value={candidate}
              figures={figures}
              base={data.base}
              labelled={data.labelled}
            />
          )}
          {staged}
          {data === undefined ? null : (
            <SuggestionPanel
              simulation={data}
              candidate={candidate}
              onTry={(value) => onChange({ value })}
            />
          )}
        </div>
      </div>
      {error ? (
        <ErrorPanel
          what="This value could not be simulated"
          works="Nothing was changed; the current thresholds still apply."
          problem={problemOf(error)}
          onRetry={() => void candidateQuery.refetch()}
        />
      ) : null}
      {data === undefined ? (
        error ? null : (
          <div
            className="late grid gap-4 xl:grid-cols-2"
            role="status"
            aria-label="Candidate on labelled verdicts"
          >
            <Skeleton className="h-72" />
            <Skeleton className="h-72" />
          </div>
        )
      ) : data.labelled === 0 ? (
        <NothingKnown
          project={project}
          address={address}
          looked={data.looked}
          unknown={data.unknown}
        />
      ) : (
        <>
          <FlipPanel
            project={project}
            simulation={data}
            isBehind={isBehind}
            allHref={isOther ? flipsHref(project, { ...address, value: shown.value }) : null}
          />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <ComparePanel simulation={data} isBehind={isBehind} />
            <SweepPanel
              sweep={sweepQuery.data ?? null}
              current={data.current}
              candidate={isOther ? shown.value : null}
              problem={sweepQuery.error ? problemOf(sweepQuery.error) : null}
              onRetry={() => void sweepQuery.refetch()}
            />
          </div>
        </>
      )}
    </>
  );
}

interface NothingKnownProps {
  project: string;
  address: ThresholdAddress;
  /** Verdicts of the scope, labelled or not. */
  looked: number;
  /** Labelled ones whose decision cannot be recomputed. */
  unknown: number;
}

/** Empty state, for one of three reasons, each with the next step. */
function NothingKnown({ project, address, looked, unknown }: NothingKnownProps) {
  const isNarrow = address.mission !== null || address.task !== null || address.days !== 0;
  const widest = thresholdHref(project, { ...address, mission: null, task: null, days: 0 });
  return (
    <Panel title="No data to simulate with">
      <Empty
        title={
          unknown > 0
            ? `${unknown.toLocaleString('en')} labelled verdicts of this work were stored by a release without recomputation.`
            : looked > 0
              ? `None of the ${looked.toLocaleString('en')} latest verdicts of this work has a label.`
              : 'No verdict of this work in the period.'
        }
      >
        <p>
          A simulation needs labelled verdicts: rule on some in the{' '}
          <Link
            href={`/p/${project}/review${reviewQuery({ verifier: address.verifier })}`}
            className="underline"
          >
            review queue
          </Link>
          , or report outcomes. You can change the value anyway.
        </p>
        {isNarrow ? (
          <p>
            <Link href={widest} className="underline">
              Show all verdicts of the project
            </Link>
          </p>
        ) : null}
      </Empty>
    </Panel>
  );
}
