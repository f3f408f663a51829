'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTrusts } from '@/app/(console)/use-trusts';
import { useTRPC } from '@/app/_trpc/client';
import type { Trust, TrustChange, TrustSettings } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Moment } from '@/app/_ui/moment';
import { Panel, Skeleton } from '@/app/_ui/panel';
import { trustStyles, TrustMark } from '@/app/_ui/trust-mark';
import { TrustGaps } from '@/app/_ui/trust-note';
import { VisibleText } from '@/app/_ui/visible-text';
import { Facts } from '../../verdicts/[id]/block';
import { TrustDialog } from './trust-dialog';

interface TrustPanelProps {
  project: string;
  slug: string;
  mayWrite: boolean;
}

/** The verifier's trust: its state, its gaps, its basis, its enforcement, and its history. */
export function TrustPanel({ project, slug, mayWrite }: TrustPanelProps) {
  const trpc = useTRPC();
  const [editing, setEditing] = useState(false);
  const trusts = useTrusts(project);
  const settings = useQuery(trpc.trust.settings.queryOptions({ project }));
  const shown = [slug, `${slug}:self`].flatMap((name) => trusts.get(name) ?? []);
  const trustSettings =
    settings.data?.find(({ verifier }) => verifier === slug) ??
    settings.data?.find(({ verifier }) => verifier === null);
  return (
    <Panel
      id="trust"
      title="Trust"
      aside={
        mayWrite && settings.data !== undefined ? (
          <Button onClick={() => setEditing(true)}>Trust settings</Button>
        ) : null
      }
    >
      {shown.length === 0 ? (
        <Skeleton className="m-4 h-24" />
      ) : (
        <div className="divide-line grid grid-cols-[minmax(0,1fr)] divide-y">
          {shown.map((trust) => (
            <SeriesTrust key={trust.verifier} trust={trust} isOnly={shown.length === 1} />
          ))}
        </div>
      )}
      {trustSettings === undefined ? null : <SettingsText settings={trustSettings} />}
      {shown.map(({ verifier, checkedAt }) =>
        checkedAt === null ? null : (
          <History
            key={verifier}
            project={project}
            verifier={verifier}
            isOnly={shown.length === 1}
          />
        ),
      )}
      {editing && settings.data !== undefined ? (
        <TrustDialog
          project={project}
          verifier={slug}
          settings={settings.data}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </Panel>
  );
}

function SeriesTrust({ trust, isOnly }: { trust: Trust; isOnly: boolean }) {
  const { verifier, version, judge, measures, since, checkedAt } = trust;
  return (
    <div className="grid gap-3 p-4">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        {isOnly ? null : <code className="text-12 font-mono">{verifier}</code>}
        <TrustMark trust={trust} />
        <span className="text-ink-2">{trustStyles[trust.state].meaning}</span>
        {since === null ? null : (
          <span className="text-ink-3">
            since <Moment at={since} />
          </span>
        )}
      </p>
      <TrustGaps trust={trust} />
      {measures === null ? null : (
        <Facts
          list={[
            ['Version', `${verifier}@${version}`],
            ['Judge', judge === null ? 'none' : <VisibleText key="judge" text={judge} />],
            [
              'Labels',
              `${measures.labels.toLocaleString('en')}, ${measures.defects.toLocaleString('en')} of them on bad items`,
            ],
            [
              'By their age',
              measures.effectiveLabels.toLocaleString('en', { maximumFractionDigits: 1 }),
            ],
            ['Catch rate', rateText(measures.catchRate, 'lower')],
            ['False rejections of good items', rateText(measures.falseRejectionRate, 'upper')],
            ...measures.slices.map(
              ({ by, value, catchRate, falseRejectionRate }) =>
                [
                  `${by} ${value}`,
                  `caught ${rateText(catchRate, 'lower')}; falsely rejected ${rateText(falseRejectionRate, 'upper')}`,
                ] as const,
            ),
            ...(checkedAt === null
              ? []
              : [['Last check', <Moment key="looked" at={checkedAt} />] as const]),
          ]}
        />
      )}
    </div>
  );
}

/** Only counts when n is under 20; the bound is exact, so it is always shown. */
function rateText(
  { rate, bound, target }: NonNullable<Trust['measures']>['catchRate'],
  which: 'lower' | 'upper',
): string {
  if (rate.value === null || bound === null) return 'unmeasured';
  const percent = (value: number): string => `${(100 * value).toFixed(1)}%`;
  const counts = `${rate.numerator.toLocaleString('en')} of ${rate.denominator.toLocaleString('en')}`;
  const interval =
    rate.state === 'measured'
      ? `${percent(rate.value)} (${percent(rate.low)} to ${percent(rate.high)}), ${counts}`
      : counts;
  return `${interval}; ${which} bound ${percent(bound)}, target ${percent(target)}`;
}

function SettingsText({
  settings: { source, enforceTrust, requiredSlices, halfLifeDays },
}: {
  settings: TrustSettings;
}) {
  const sourceText = {
    default: 'By default',
    project: 'By the settings of all verifiers',
    verifier: 'By its own settings',
  }[source];
  const enforced = enforceTrust
    ? 'only a qualified verifier may block and steer'
    : 'trust is not enforced: the verifier may block and steer in every state';
  const slices =
    requiredSlices.length === 0
      ? ''
      : ` Required slices: ${requiredSlices.map(({ by, value }) => `${by} ${value}`).join(', ')}.`;
  const age =
    halfLifeDays === 0
      ? 'Labels do not age.'
      : `A label counts half after ${halfLifeDays.toLocaleString('en')} days.`;
  return (
    <p className="border-line text-ink-2 border-t p-4 [overflow-wrap:anywhere]">
      <VisibleText text={`${sourceText}, ${enforced}. ${age}${slices}`} />
    </p>
  );
}

function History({
  project,
  verifier,
  isOnly,
}: {
  project: string;
  verifier: string;
  isOnly: boolean;
}) {
  const trpc = useTRPC();
  const changes = useQuery(trpc.trust.history.queryOptions({ project, verifier }));
  if (changes.data === undefined || changes.data.length === 0) return null;
  return (
    <details className="border-line border-t">
      <summary className="text-ink-2 cursor-pointer px-4 py-3">
        {changes.data.length === 1
          ? '1 change of trust'
          : `${changes.data.length.toLocaleString('en')} changes of trust`}
        {isOnly ? null : ` of ${verifier}`}
      </summary>
      <ol aria-label={`Changes of trust of ${verifier}`} className="grid gap-2 px-4 pb-4">
        {changes.data.map((change) => (
          <li key={change.id} className="grid gap-0.5">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <strong className="font-semibold">{changeText(change)}</strong>
              <span className="text-ink-3">
                version {change.version}, <Moment at={change.at} />
              </span>
            </span>
            <span className="text-ink-2 [overflow-wrap:anywhere]">
              <VisibleText text={change.reason} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function changeText({ before, after }: TrustChange): string {
  if (before === null) return trustStyles[after].word;
  return `${trustStyles[before].word} to ${trustStyles[after].word.toLowerCase()}`;
}
