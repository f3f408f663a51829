'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { AlertRule, Project } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { Cell, DataTable, Row } from '@/app/_ui/data-table';
import { Moment } from '@/app/_ui/moment';
import { PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { alertFacts } from '@/server/alerts/input';
import { limitText, noDataWords, severityWords } from '../../alerts/alert-words';
import { exactDuration } from '../../alerts/duration';
import { RuleDialog } from './rule-dialog';

interface RulePanelProps {
  project: Project;
  initial: AlertRule[];
  /** Slugs of all verifiers of the project. */
  verifiers: readonly string[];
  mayWrite: boolean;
}

/** `Catch rate` or `Catch rate of task`. */
const ruleName = ({ kind, verifier }: Pick<AlertRule, 'kind' | 'verifier'>): string =>
  verifier === null
    ? alertFacts[kind].title
    : `${alertFacts[kind].title} of ${plainText(verifier)}`;

/** The rules of all alerts: for every series of a kind, and for verifiers with their own rule. */
export function RulePanel({ project, initial, verifiers, mayWrite }: RulePanelProps) {
  const { slug } = project;
  const { data: rules } = useQuery(
    useTRPC().alerts.rules.queryOptions({ project: slug }, { initialData: initial }),
  );
  const [editing, setEditing] = useState<AlertRule | 'new' | null>(null);
  const [resetting, setResetting] = useState<AlertRule | null>(null);
  return (
    <>
      <PageHead
        title="Alert rules"
        sub="When an alert starts, and how often it repeats. A change applies from the next check."
      >
        <div className="flex flex-wrap items-center gap-4">
          <Link href={`/p/${slug}/alerts`} className="text-ink-2 hover:text-ink underline">
            Alerts
          </Link>
          {mayWrite && verifiers.length > 0 ? (
            <Button onClick={() => setEditing('new')}>Add a rule for one verifier</Button>
          ) : null}
        </div>
      </PageHead>
      <Panel title="Rules">
        <DataTable
          label="Alert rules"
          heads={['Alert', 'State', 'Limit', 'Window', 'If no data', 'Re-notify', 'Set', '']}
        >
          {rules.map((rule) => (
            <Row key={`${rule.kind} ${rule.verifier ?? ''}`}>
              <th scope="row" className="max-w-[48ch] min-w-56 px-4 py-1 font-normal">
                <RuleTitle rule={rule} />
              </th>
              <Cell>{rule.enabled ? 'on' : <span className="text-ink-3">off</span>}</Cell>
              <Cell>
                <LimitCell rule={rule} />
              </Cell>
              <Cell>
                {alertFacts[rule.kind].windowed ? (
                  exactDuration(rule.windowMinutes * 60)
                ) : (
                  <span className="text-ink-3">now</span>
                )}
              </Cell>
              <Cell>{noDataWords[rule.noData]}</Cell>
              <Cell>
                {rule.renotifyMinutes === null
                  ? 'never'
                  : `after ${exactDuration(rule.renotifyMinutes * 60)}`}
              </Cell>
              <Cell>
                <SetBy rule={rule} />
              </Cell>
              <Cell end>
                {mayWrite ? (
                  <span className="inline-flex gap-2">
                    {rule.isOwn ? (
                      <Button
                        aria-label={`Reset ${ruleName(rule)}`}
                        onClick={() => setResetting(rule)}
                      >
                        Reset
                      </Button>
                    ) : null}
                    <Button
                      aria-label={`Change ${ruleName(rule)}`}
                      onClick={() => setEditing(rule)}
                    >
                      Change
                    </Button>
                  </span>
                ) : null}
              </Cell>
            </Row>
          ))}
        </DataTable>
      </Panel>
      <p className="text-ink-2 max-w-[88ch]">
        A value that is exactly its limit does not alert. Rates with fewer than 20 cases count as no
        data. Choose where to send alerts under{' '}
        {mayWrite ? (
          <Link href={`/p/${slug}/settings/webhooks`} className="underline">
            Settings › Destinations
          </Link>
        ) : (
          'Settings › Destinations, by owners and admins'
        )}
        .
      </p>
      {mayWrite ? null : (
        <p className="text-ink-3">Your role is {project.role}; owners and admins change these.</p>
      )}
      {editing === null ? null : (
        <RuleDialog
          project={slug}
          edited={editing === 'new' ? null : editing}
          rules={rules}
          verifiers={verifiers}
          onClose={() => setEditing(null)}
        />
      )}
      {resetting === null ? null : (
        <ResetDialog project={slug} rule={resetting} onClose={() => setResetting(null)} />
      )}
    </>
  );
}

function RuleTitle({ rule: { kind, verifier, severity, meaning } }: { rule: AlertRule }) {
  if (verifier !== null) {
    return (
      <span className="pl-4">
        {alertFacts[kind].title} of{' '}
        <code className="text-12 font-mono">
          <VisibleText text={verifier} />
        </code>
      </span>
    );
  }
  return (
    <>
      <span className="font-semibold">{alertFacts[kind].title}</span>{' '}
      <span className="text-12 text-ink-3">{severityWords[severity]}</span>
      <span className="text-12 text-ink-3 block">{meaning}</span>
    </>
  );
}

function LimitCell({ rule: { kind, limit } }: { rule: AlertRule }) {
  const text = limitText(kind, limit);
  if (text !== null) return text;
  return <span className="text-ink-3">{alertFacts[kind].limit === 'none' ? '–' : 'not set'}</span>;
}

function SetBy({ rule: { isOwn, verifier, updatedBy, updatedAt } }: { rule: AlertRule }) {
  if (!isOwn || updatedAt === null)
    return <span className="text-ink-3">{verifier === null ? 'default' : 'as all verifiers'}</span>;
  return (
    <>
      {updatedBy === null ? null : (
        <>
          <VisibleText text={updatedBy} />,{' '}
        </>
      )}
      <Moment at={updatedAt} />
    </>
  );
}

function ResetDialog({
  project,
  rule,
  onClose,
}: {
  project: string;
  rule: AlertRule;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const reset = useMutation(
    trpc.alerts.resetRule.mutationOptions({
      onSuccess: async () => {
        await client.invalidateQueries({ queryKey: trpc.alerts.pathKey() });
        announce('Rule reset');
        onClose();
      },
    }),
  );
  return (
    <Confirm
      title={`Reset ${ruleName(rule)}`}
      action="Reset rule"
      busy={reset.isPending}
      error={reset.error ? problemOf(reset.error).message : null}
      onConfirm={() => reset.mutate({ project, kind: rule.kind, verifier: rule.verifier })}
      onClose={onClose}
    >
      <p>
        {rule.verifier === null
          ? 'The default rule applies again from the next check.'
          : 'The rule for all verifiers applies again from the next check.'}
      </p>
    </Confirm>
  );
}
