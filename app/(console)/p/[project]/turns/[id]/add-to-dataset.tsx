'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { slugOf } from '@/app/(console)/slug-of';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ItemsChanged } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button, buttonClass } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError, inputClass } from '@/app/_ui/field';
import { plainText } from '@/app/_ui/visible-text';

const references = [
  ['none', 'None', 'The item has no expected output.'],
  ['output', 'Output', 'The output of this turn is the expected output.'],
  ['human', 'Human ruling', 'The newest ruling or label that counts; without one, it is rejected.'],
] as const;
type Reference = (typeof references)[number][0];

/** The button that makes the turn an item of a dataset, with its dialog. */
export function AddToDataset({ project, turn }: { project: string; turn: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add to dataset</Button>
      {open ? (
        <AddToDatasetDialog project={project} turn={turn} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

interface DialogProps {
  project: string;
  turn: string;
  onClose: () => void;
}

interface Sent {
  /** Null: a new dataset. */
  readonly slug: string | null;
  readonly name: string;
  readonly reference: Reference;
  readonly split: string;
}

interface Done {
  readonly slug: string;
  readonly result: ItemsChanged;
}

function AddToDatasetDialog({ project, turn, onClose }: DialogProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const client = useQueryClient();
  const router = useRouter();
  const add = useMutation({
    mutationFn: async ({ slug: chosen, name, reference, split }: Sent): Promise<Done> => {
      const slug = chosen ?? slugOf(name);
      if (chosen === null)
        await trpcClient.datasets.put.mutate({ project, slug, name, onlyNew: true });
      const from = { turns: [turn], reference, split: split.trim() === '' ? null : split.trim() };
      const result = await trpcClient.datasets.fromTurns.mutate({ project, slug, ...from });
      return { slug, result };
    },
    onSuccess: ({ result }) => announce(doneText(result)),
    onSettled: () => {
      // The page lists the items of the turn.
      router.refresh();
      return client.invalidateQueries({ queryKey: trpc.datasets.pathKey() });
    },
  });
  const done = add.data;
  if (done !== undefined) {
    return (
      <Dialog title="Add to dataset" onClose={onClose}>
        <div className="grid gap-4">
          <p>{doneText(done.result)}</p>
          <div className="flex flex-wrap justify-end gap-2">
            {done.result.rejected.length > 0 ? (
              <Button onClick={() => add.reset()}>Back</Button>
            ) : null}
            <Button onClick={onClose}>Close</Button>
            <Link
              href={`/p/${project}/datasets/${done.slug}`}
              prefetch={false}
              className={buttonClass('primary')}
            >
              Open dataset
            </Link>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add to dataset" onClose={onClose}>
      <AddForm
        project={project}
        busy={add.isPending}
        error={add.error ? problemOf(add.error).message : null}
        onSend={(sent) => add.mutate(sent)}
        onClose={onClose}
      />
    </Dialog>
  );
}

function doneText({ added, version, rejected }: ItemsChanged): string {
  const [refused] = rejected;
  if (refused !== undefined) return `Not added. ${refused.message}`;
  return added > 0
    ? `The turn is an item of version ${version} now.`
    : 'The dataset has an item of this turn already; it was not changed.';
}

interface AddFormProps {
  project: string;
  busy: boolean;
  error: string | null;
  onSend: (sent: Sent) => void;
  onClose: () => void;
}

function AddForm({ project, busy, error, onSend, onClose }: AddFormProps) {
  const id = useId();
  const datasets = useQuery(useTRPC().datasets.list.queryOptions({ project, limit: 200 }));
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [reference, setReference] = useState<Reference>('none');
  const [split, setSplit] = useState('');
  const known = datasets.data?.items ?? [];
  // An empty text is the new dataset, which is the only choice if there is none.
  const choice = chosen ?? known[0]?.slug ?? '';
  const isNew = choice === '';
  const splits = known.find(({ slug }) => slug === choice)?.splits ?? {};
  const problem = datasets.error ? problemOf(datasets.error).message : error;
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSend({ slug: isNew ? null : choice, name, reference, split });
      }}
    >
      <div className="grid gap-1">
        <label htmlFor={`${id}-dataset`} className="font-semibold">
          Dataset
        </label>
        <select
          id={`${id}-dataset`}
          value={choice}
          disabled={datasets.isPending}
          onChange={(event) => setChosen(event.target.value)}
          className={inputClass}
        >
          {known.map(({ slug, name: each }) => (
            <option key={slug} value={slug}>
              {plainText(each)}
            </option>
          ))}
          <option value="">New dataset …</option>
        </select>
      </div>
      {isNew && !datasets.isPending ? (
        <Field
          label="Name of the new dataset"
          autoComplete="off"
          value={name}
          hint={name.trim() === '' ? undefined : `Slug: ${slugOf(name)}`}
          onChange={(event) => setName(event.target.value)}
        />
      ) : null}
      <fieldset className="grid gap-1">
        <legend className="font-semibold">Reference</legend>
        {references.map(([value, label, hint]) => (
          <label key={value} className="flex items-baseline gap-2">
            <input
              type="radio"
              name={`${id}-reference`}
              checked={reference === value}
              onChange={() => setReference(value)}
            />
            <span>
              {label} <span className="text-12 text-ink-3">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <Field
          label="Split"
          list={`${id}-splits`}
          autoComplete="off"
          value={split}
          hint="Such as dev or held_out. Empty: no split."
          onChange={(event) => setSplit(event.target.value)}
        />
        <datalist id={`${id}-splits`}>
          {Object.keys(splits).map((each) => (
            <option key={each} value={each} aria-label={each} />
          ))}
        </datalist>
      </div>
      <FieldError text={problem} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={datasets.isPending || (isNew && slugOf(name) === '')}
        >
          Add to dataset
        </Button>
      </div>
    </form>
  );
}
