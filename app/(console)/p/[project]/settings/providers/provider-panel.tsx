'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Provider } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { ProviderDialog } from './provider-dialog';
import { ProviderTable } from './provider-table';
import { TaskRuleOffer } from './task-rule-offer';
import { TestProviderDialog } from './test-provider-dialog';

interface ProviderPanelProps {
  project: string;
  initial: Provider[];
  mayWrite: boolean;
}

/** The open dialog. */
type Open =
  | { readonly what: 'add' }
  | { readonly what: 'change' | 'test' | 'delete'; readonly provider: Provider };

export function ProviderPanel({ project, initial, mayWrite }: ProviderPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.providers.list.queryOptions({ project }, { initialData: initial });
  const { data: providers } = useQuery(options);
  const [open, setOpen] = useState<Open | null>(null);
  const [offersRule, setOffersRule] = useState(false);
  const close = () => setOpen(null);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const remove = useMutation(
    trpc.providers.delete.mutationOptions({
      onSuccess: () => {
        announce('Provider deleted');
        close();
        refresh();
      },
    }),
  );
  const usable = providers.some(({ enabled }) => enabled);
  return (
    <>
      <PageHead
        title="Providers"
        sub="Model providers for judges. Keys are encrypted, each for one address."
      >
        {mayWrite ? (
          <Button variant="primary" onClick={() => setOpen({ what: 'add' })}>
            Add provider
          </Button>
        ) : null}
      </PageHead>
      {usable ? null : <NoProvider mayWrite={mayWrite} areOff={providers.length > 0} />}
      {usable && offersRule ? (
        <TaskRuleOffer project={project} onClose={() => setOffersRule(false)} />
      ) : null}
      {providers.length === 0 ? null : (
        <Panel title="Providers">
          <ProviderTable
            providers={providers}
            mayWrite={mayWrite}
            onOpen={(what, provider) => setOpen({ what, provider })}
          />
        </Panel>
      )}
      {open?.what === 'add' ? (
        <ProviderDialog
          project={project}
          provider={null}
          onSaved={() => {
            refresh();
            setOffersRule(true);
          }}
          onClose={close}
        />
      ) : null}
      {open?.what === 'change' ? (
        <ProviderDialog
          project={project}
          provider={open.provider}
          onSaved={refresh}
          onClose={close}
        />
      ) : null}
      {open?.what === 'test' ? (
        <TestProviderDialog project={project} provider={open.provider} onClose={close} />
      ) : null}
      {open?.what === 'delete' ? (
        <Confirm
          title={`Delete ${open.provider.name}`}
          action="Delete provider"
          busy={remove.isPending}
          error={remove.error ? problemOf(remove.error).message : null}
          onConfirm={() => remove.mutate({ project, name: open.provider.name })}
          onClose={() => {
            remove.reset();
            close();
          }}
        >
          <p>Judges that use it can no longer run. Its key cannot be restored.</p>
        </Confirm>
      ) : null}
    </>
  );
}

/** The features that work without a provider, and those that do not. */
function NoProvider({ mayWrite, areOff }: { mayWrite: boolean; areOff: boolean }) {
  return (
    <Panel title={areOff ? 'All providers are off' : 'No provider configured'}>
      <Empty title="No judge can run.">
        <p>
          Everything that needs no model still works: integrity, deterministic checks, rules,
          traces, calibration. Work that needs a judge is inconclusive: neither a pass nor a fail.
        </p>
        <p>
          {mayWrite
            ? 'Add a provider here, or set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_API_KEY for all projects.'
            : 'An owner or an admin can add one.'}
        </p>
      </Empty>
    </Panel>
  );
}
