'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ModelSettings } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { AliasDialog } from './alias-dialog';
import { AliasTable, NameTable, PriceTable } from './model-tables';
import { PriceDialog } from './price-dialog';

export type Alias = ModelSettings['aliases'][number];
export type Price = ModelSettings['prices'][number];

/** The open dialog. */
type Open =
  | { readonly what: 'alias' | 'price' }
  | { readonly what: 'delete alias'; readonly alias: Alias }
  | { readonly what: 'delete price'; readonly price: Price };

interface ModelSettingsPanelProps {
  project: string;
  initial: ModelSettings;
  mayWrite: boolean;
}

export function ModelSettingsPanel({ project, initial, mayWrite }: ModelSettingsPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.models.settings.queryOptions({ project }, { initialData: initial });
  const { data } = useQuery(options);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const done = (text: string) => ({
    onSuccess: () => {
      announce(text);
      close();
      refresh();
    },
  });
  const dropAlias = useMutation(trpc.models.deleteAlias.mutationOptions(done('Alias deleted')));
  const dropPrice = useMutation(trpc.models.deletePrice.mutationOptions(done('Price deleted')));
  return (
    <>
      <PageHead title="Models" sub="Names that count as one model, and your own prices.">
        {mayWrite ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen({ what: 'price' })}>Add price</Button>
            <Button variant="primary" onClick={() => setOpen({ what: 'alias' })}>
              Add alias
            </Button>
          </div>
        ) : null}
      </PageHead>
      <Panel title="Aliases">
        {data.aliases.length === 0 ? (
          <Empty title="No aliases.">
            <p>
              Names with another provider or date already count as one model. An alias makes another
              name count as it, or keeps a dated name separate.
            </p>
          </Empty>
        ) : (
          <AliasTable
            aliases={data.aliases}
            onDelete={mayWrite ? (alias) => setOpen({ what: 'delete alias', alias }) : null}
          />
        )}
      </Panel>
      <Panel title="Own prices">
        {data.prices.length === 0 ? (
          <Empty title="No own prices.">
            <p>Costs that clients do not send are computed by the price list {data.priceList}.</p>
          </Empty>
        ) : (
          <PriceTable
            prices={data.prices}
            onDelete={mayWrite ? (price) => setOpen({ what: 'delete price', price }) : null}
          />
        )}
      </Panel>
      {data.names.length === 0 ? null : (
        <Panel title="Reported names">
          <NameTable names={data.names} />
        </Panel>
      )}
      {open?.what === 'alias' ? (
        <AliasDialog project={project} names={data.names} onSaved={refresh} onClose={close} />
      ) : null}
      {open?.what === 'price' ? (
        <PriceDialog project={project} onSaved={refresh} onClose={close} />
      ) : null}
      {open?.what === 'delete alias' ? (
        <Confirm
          title={`Delete the alias ${open.alias.alias}`}
          action="Delete alias"
          busy={dropAlias.isPending}
          error={dropAlias.error ? problemOf(dropAlias.error).message : null}
          onConfirm={() => dropAlias.mutate({ project, alias: open.alias.alias })}
          onClose={close}
        >
          <p>All its work, including earlier work, counts under its own identity again.</p>
        </Confirm>
      ) : null}
      {open?.what === 'delete price' ? (
        <Confirm
          title={`Delete the price of ${open.price.model} from ${open.price.validFrom}`}
          action="Delete price"
          busy={dropPrice.isPending}
          error={dropPrice.error ? problemOf(dropPrice.error).message : null}
          onConfirm={() => {
            const { model, validFrom: valid_from } = open.price;
            dropPrice.mutate({ project, model, valid_from });
          }}
          onClose={close}
        >
          <p>Costs of stored work are computed again.</p>
        </Confirm>
      ) : null}
    </>
  );
}
