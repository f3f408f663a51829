'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLive } from '@/app/(console)/use-live';
import { useCreate } from '@/app/(console)/use-create';
import { useTRPC } from '@/app/_trpc/client';
import type { Job, Rule, Verifier } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { FieldError } from '@/app/_ui/field';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { BackfillDialog } from './backfill-dialog';
import { BackfillList } from './backfill-list';
import { RuleDialog } from './rule-dialog';
import { RuleTable } from './rule-table';

interface RulePanelProps {
  project: string;
  rules: Rule[];
  jobs: Job[];
  verifiers: readonly Verifier[];
  mayWrite: boolean;
}

type Open =
  | { readonly what: 'edit' | 'backfill' | 'delete'; readonly rule: Rule }
  | { readonly what: 'create' }
  | null;

export function RulePanel({ project, rules: initial, jobs, verifiers, mayWrite }: RulePanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.rules.list.queryOptions({ project }, { initialData: initial });
  const { data: rules } = useQuery(options);
  const [isCreating, setCreating] = useCreate(mayWrite);
  const [opened, setOpen] = useState<Open>(null);
  const open: Open = isCreating ? { what: 'create' } : opened;
  const close = () => {
    setOpen(null);
    setCreating(false);
  };
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  useLive(project, refresh, 5000);
  const setEnabled = useMutation(
    trpc.rules.setEnabled.mutationOptions({
      onSuccess: (_done, { enabled }) => {
        announce(enabled ? 'Rule switched on' : 'Rule switched off');
        refresh();
      },
    }),
  );
  const remove = useMutation(
    trpc.rules.delete.mutationOptions({
      onSuccess: () => {
        announce('Rule deleted');
        close();
        refresh();
      },
    }),
  );
  return (
    <PageBody>
      <PageHead
        title="Rules"
        sub="A rule sends matching turns to a verifier, and records a decision for each turn."
      >
        {mayWrite ? (
          <Button variant="primary" onClick={() => setCreating(true)}>
            Create rule
          </Button>
        ) : null}
      </PageHead>
      <FieldError text={setEnabled.error ? problemOf(setEnabled.error).message : null} />
      <Panel title="Rules of this project">
        {rules.length === 0 ? (
          <Empty title="There is no rule.">
            <p>Assay stores turns, and verifies them only when a rule sends them to a verifier.</p>
          </Empty>
        ) : (
          <RuleTable
            project={project}
            rules={rules}
            mayWrite={mayWrite}
            switching={setEnabled.isPending ? setEnabled.variables.name : null}
            onSwitch={(rule) =>
              setEnabled.mutate({ project, name: rule.name, enabled: !rule.enabled })
            }
            onOpen={(what, rule) => setOpen({ what, rule })}
          />
        )}
      </Panel>
      <BackfillList project={project} initial={jobs} mayWrite={mayWrite} onProgress={refresh} />
      {open?.what === 'create' || open?.what === 'edit' ? (
        <RuleDialog
          project={project}
          rule={open.what === 'edit' ? open.rule : null}
          names={rules.map((rule) => rule.name)}
          verifiers={verifiers}
          onSaved={refresh}
          onClose={close}
        />
      ) : null}
      {open?.what === 'backfill' ? (
        <BackfillDialog project={project} rule={open.rule} onClose={close} />
      ) : null}
      {open?.what === 'delete' ? (
        <Confirm
          title={`Delete the rule ${open.rule.name}`}
          action="Delete rule"
          busy={remove.isPending}
          error={remove.error ? problemOf(remove.error).message : null}
          onConfirm={() => remove.mutate({ project, name: open.rule.name })}
          onClose={() => {
            remove.reset();
            close();
          }}
        >
          <p>
            It sends no more turns to {open.rule.verifier}. Its decisions are kept, and turns that
            it has already sent are still verified.
          </p>
        </Confirm>
      ) : null}
    </PageBody>
  );
}
