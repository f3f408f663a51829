'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { Threshold, ThresholdChange } from '@/app/_trpc/outputs';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { PeriodNav } from '../calibration/period-nav';
import { wordsOf } from '../verifiers/kinds';
import { type ThresholdAddress, thresholdHref, thresholdParsers } from './addresses';
import { AppliedNote } from './applied-note';
import { CandidatePanels } from './candidate-panels';
import { currentValueOf, plannedChanges } from './threshold-values';
import { refusalText } from './threshold-words';
import { HistoryPanel } from './history-panel';
import { KeyNav } from './key-nav';
import { ScopeBar } from './scope-bar';
import { StagedPanel } from './staged-panel';
import type { Applied } from './use-apply';

interface ThresholdEditorProps {
  project: string;
  verifier: string;
  /** The key shown when the URL names none. */
  firstKey: string;
  thresholds: Threshold[];
  changes: ThresholdChange[];
  /** The name recorded with a change. */
  who: string;
  mayWrite: boolean;
}

/** One threshold: the simulated effect of another value, setting it with a reason, and undo. */
export function ThresholdEditor({
  project,
  verifier,
  firstKey,
  thresholds: firstThresholds,
  changes: firstChanges,
  who,
  mayWrite,
}: ThresholdEditorProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [read, setAddress] = useQueryStates(thresholdParsers, { history: 'replace' });
  const [applied, setApplied] = useState<Applied | null>(null);
  const listed = trpc.thresholds.list.queryOptions(
    { project, verifier },
    { initialData: firstThresholds },
  );
  const changed = trpc.thresholds.changes.queryOptions(
    { project, verifier },
    { initialData: firstChanges },
  );
  const { data: thresholds } = useQuery(listed);
  const { data: changes, dataUpdatedAt } = useQuery(changed);
  // Unlabelled verdicts hardly change the numbers here, so only new labels refetch them.
  const live = useLive(
    project,
    (news) => {
      if (news !== null && news.labelled > 0)
        void client.invalidateQueries({ queryKey: trpc.thresholds.simulate.pathKey() });
    },
    3000,
  );
  const threshold =
    thresholds.find(({ key }) => key === read.key) ??
    thresholds.find(({ key }) => key === firstKey);
  if (threshold === undefined) return null;
  const address: ThresholdAddress = { ...read, verifier, key: threshold.key };
  const scope = { missionId: read.mission, taskId: read.task };
  const currentValue = currentValueOf(threshold, scope);
  const candidate = read.value ?? currentValue.value;
  const staged = read.staged.filter(({ key }) => key !== threshold.key);
  const planned = plannedChanges(
    [...staged, { key: threshold.key, value: candidate }],
    thresholds,
    changes,
    scope,
  );
  /** Resolves when the current values have been refetched; the numbers of every value follow. */
  const refresh = async () => {
    void client.invalidateQueries({ queryKey: trpc.thresholds.simulate.pathKey() });
    await Promise.all(
      [listed, changed].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
    );
  };
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[{ name: 'Thresholds', href: thresholdHref(project, {}) }]}
            pageName={threshold.key}
          />
        }
        title={`${wordsOf(verifier).label}: ${threshold.key.replaceAll('_', ' ')}`}
        sub={
          <>
            {threshold.meaning} Verifier:{' '}
            <Link
              href={`/p/${project}/verifiers/${encodeURIComponent(verifier)}`}
              className="underline"
            >
              {wordsOf(verifier).label}
            </Link>
            .
          </>
        }
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <LiveMark state={live} readAt={dataUpdatedAt} />
          <PeriodNav
            days={read.days}
            hrefOf={(days) => thresholdHref(project, { ...address, days })}
          />
        </div>
      </PageHead>
      <KeyNav project={project} address={address} thresholds={thresholds} scope={scope} />
      <ScopeBar project={project} address={address} threshold={threshold} />
      {applied === null ? null : (
        <AppliedNote
          project={project}
          verifier={verifier}
          applied={applied}
          changes={changes}
          onUndone={() => void refresh()}
          onClose={() => setApplied(null)}
        />
      )}
      <CandidatePanels
        // Numbers of another key, scope or period must not appear under this one's name.
        key={JSON.stringify([threshold.key, scope, read.days])}
        project={project}
        address={address}
        threshold={threshold}
        currentValue={currentValue}
        candidate={candidate}
        otherStaged={thresholds.map((each) => ({
          key: each.key,
          value: currentValueOf(each, scope).value,
        }))}
        onChange={(change) => void setAddress(change)}
        staged={
          <StagedPanel
            project={project}
            verifier={verifier}
            scope={scope}
            planned={planned}
            changes={changes}
            refusal={refusalText(planned, thresholds, scope)}
            who={who}
            mayWrite={mayWrite}
            onRemove={(key) =>
              void setAddress(
                key === threshold.key
                  ? { value: null }
                  : { staged: staged.filter((each) => each.key !== key) },
              )
            }
            onApplied={(done) => {
              setApplied(done);
              // Waits for the refresh; otherwise the slider would briefly return to the old value.
              void refresh().then(() => setAddress({ value: null, staged: null }));
            }}
            onConflict={() => void refresh()}
          />
        }
      />
      <HistoryPanel
        project={project}
        verifier={verifier}
        changes={changes}
        shownKey={threshold.key}
        mayWrite={mayWrite}
        onUndone={() => void refresh()}
      />
    </PageBody>
  );
}
