'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { slugOf } from '@/app/(console)/slug-of';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Field, SelectField } from '@/app/_ui/field';
import { plainText } from '@/app/_ui/visible-text';

export interface DatasetChoice {
  readonly options: readonly (readonly [slug: string, name: string])[];
  /** An empty text is a new dataset, the only choice if there are no datasets. */
  readonly chosen: string;
  /** The name of the new dataset. */
  readonly name: string;
  /** The splits of the chosen dataset. */
  readonly splits: readonly string[];
  readonly isLoading: boolean;
  /** Whether a dataset is chosen or named. */
  readonly isReady: boolean;
  readonly error: string | null;
  readonly choose: (slug: string) => void;
  readonly setName: (name: string) => void;
  /** The slug of the chosen dataset; creates a new one first. */
  readonly slug: () => Promise<string>;
}

/** A choice between the project's datasets and a new one. */
export function useDatasetChoice(project: string): DatasetChoice {
  const trpcClient = useTRPCClient();
  const datasets = useQuery(useTRPC().datasets.list.queryOptions({ project, limit: 200 }));
  const [choice, choose] = useState<string | null>(null);
  const [name, setName] = useState('');
  const known = datasets.data?.items ?? [];
  const chosen = choice ?? known[0]?.slug ?? '';
  return {
    options: known.map((dataset) => [dataset.slug, plainText(dataset.name)]),
    chosen,
    name,
    splits: Object.keys(known.find(({ slug }) => slug === chosen)?.splits ?? {}),
    isLoading: datasets.isPending,
    isReady: !datasets.isPending && (chosen !== '' || slugOf(name) !== ''),
    error: datasets.error ? problemOf(datasets.error).message : null,
    choose,
    setName,
    async slug() {
      if (chosen !== '') return chosen;
      const slug = slugOf(name);
      await trpcClient.datasets.put.mutate({ project, slug, name, onlyNew: true });
      // A second attempt adds to the dataset that the first has created.
      choose(slug);
      return slug;
    },
  };
}

export function DatasetFields({ choice }: { choice: DatasetChoice }) {
  const { options, chosen, name } = choice;
  const slug = slugOf(name);
  return (
    <>
      <SelectField
        label="Dataset"
        value={chosen}
        options={[...options, ['', choice.isLoading ? 'Loading …' : 'New dataset …']]}
        onChange={choice.choose}
      />
      {chosen === '' && !choice.isLoading ? (
        <Field
          label="Dataset name"
          autoComplete="off"
          value={name}
          hint={slug === '' ? undefined : `Slug: ${slug}`}
          onChange={(event) => choice.setName(event.target.value)}
        />
      ) : null}
    </>
  );
}
