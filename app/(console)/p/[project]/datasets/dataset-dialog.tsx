'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { slugOf } from '@/app/(console)/slug-of';
import { useTRPC } from '@/app/_trpc/client';
import type { DatasetRow } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field, TextAreaField } from '@/app/_ui/field';

interface DatasetDialogProps {
  project: string;
  /** Changes this dataset; without it, creates one. */
  dataset?: Pick<DatasetRow, 'slug' | 'name' | 'description'>;
  onDone: (slug: string) => void;
  onClose: () => void;
}

/** The slug follows the name until it is typed; the slug of a stored dataset never changes. */
export function DatasetDialog({ project, dataset, onDone, onClose }: DatasetDialogProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [name, setName] = useState(dataset?.name ?? '');
  const [typedSlug, setTypedSlug] = useState<string | null>(null);
  const [description, setDescription] = useState(dataset?.description ?? '');
  const slug = dataset?.slug ?? typedSlug ?? slugOf(name);
  const save = useMutation(
    trpc.datasets.put.mutationOptions({
      onSuccess: async () => {
        announce(dataset === undefined ? 'Dataset created' : 'Dataset changed');
        await client.invalidateQueries({ queryKey: trpc.datasets.pathKey() });
        onDone(slug);
      },
    }),
  );
  const problem = save.error ? problemOf(save.error) : null;
  const fields = problem?.fields ?? {};
  return (
    <FormDialog
      title={dataset === undefined ? 'Create dataset' : 'Change dataset'}
      onClose={onClose}
      action={dataset === undefined ? 'Create dataset' : 'Save'}
      busy={save.isPending}
      disabled={name.trim() === '' || slug === ''}
      problem={
        problem !== null && Object.keys(problem.fields).length === 0 ? problem.message : null
      }
      onSubmit={() =>
        save.mutate({ project, slug, name, description, onlyNew: dataset === undefined })
      }
    >
      <Field
        label="Name"
        autoComplete="off"
        value={name}
        error={fields['name']}
        onChange={(event) => setName(event.target.value)}
      />
      {dataset === undefined ? (
        <Field
          label="Slug"
          mono
          autoComplete="off"
          value={slug}
          hint="Programs use it; it cannot change later."
          error={fields['slug']}
          onChange={(event) => setTypedSlug(event.target.value)}
        />
      ) : null}
      <TextAreaField
        label="Description"
        hint="Optional: what the items test, and where they come from."
        value={description}
        error={fields['description']}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
