'use client';

import { FormDialog } from '@/app/_ui/form-dialog';
import { SuggestField } from '@/app/_ui/suggest-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactNode, useId, useState } from 'react';
import type { z } from 'zod';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ItemsChanged } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button, buttonClass } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { datasetLimits, type FromTurnsIn } from '@/server/experiments/input';
import { type DatasetChoice, DatasetFields, useDatasetChoice } from './dataset-choice';
import { changesText } from './dataset-words';
import { ItemsResult } from './items-result';

const references = [
  [
    'human',
    'Human ruling',
    'The newest ruling or label that counts. Turns without one are not added.',
  ],
  ['output', 'Output', 'The output of the turn is the expected output.'],
  ['none', 'None', 'The item has no expected output.'],
] as const;
type Reference = (typeof references)[number][0];

/** The turns to add. */
type TurnsToAdd = Pick<z.input<typeof FromTurnsIn>, 'turns' | 'verdicts' | 'review'>;

interface AddToDatasetProps {
  project: string;
  source: TurnsToAdd;
  /** Which turns are added, as a sentence. */
  description: string;
  /** The initially selected reference. */
  reference?: Reference;
  /** Fields that choose the turns. */
  children?: ReactNode;
}

/** The button that adds turns to a dataset, with its dialog. */
export function AddToDataset(props: AddToDatasetProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add to dataset</Button>
      {open ? <AddToDatasetDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface AddForm {
  readonly choice: DatasetChoice;
  readonly reference: Reference;
  readonly split: string;
}

/** Adds the turns to the chosen dataset; a new one is created first. */
function useAddTurns(project: string, source: TurnsToAdd) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async ({ choice, reference, split }: AddForm) => {
      const slug = await choice.slug();
      const result = await trpcClient.datasets.fromTurns.mutate({
        project,
        slug,
        ...source,
        limit: datasetLimits.turnsPerRequest,
        reference,
        split: split.trim() === '' ? null : split.trim(),
      });
      return { slug, result };
    },
    onSuccess: ({ result }) =>
      announce(source.turns?.length === 1 ? doneText(result) : resultText(result)),
    onSettled: () => {
      // The page of a turn lists its items.
      router.refresh();
      return client.invalidateQueries({ queryKey: trpc.datasets.pathKey() });
    },
  });
}

function AddToDatasetDialog({
  project,
  source,
  description,
  reference: first = 'none',
  children,
  onClose,
}: AddToDatasetProps & { onClose: () => void }) {
  const choice = useDatasetChoice(project);
  const [reference, setReference] = useState<Reference>(first);
  const [split, setSplit] = useState('');
  const add = useAddTurns(project, source);
  if (add.data !== undefined) {
    const { slug, result } = add.data;
    return (
      <Dialog title="Add to dataset" onClose={onClose}>
        <div className="grid gap-4">
          {source.turns?.length === 1 ? <p>{doneText(result)}</p> : <ItemsResult result={result} />}
          <div className="flex flex-wrap justify-end gap-2">
            {result.rejected.length > 0 ? <Button onClick={() => add.reset()}>Back</Button> : null}
            <Button onClick={onClose}>Close</Button>
            <Link
              href={`/p/${project}/datasets/${slug}`}
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
    <FormDialog
      title="Add to dataset"
      onClose={onClose}
      action="Add to dataset"
      busy={add.isPending}
      disabled={!choice.isReady}
      problem={choice.error ?? (add.error ? problemOf(add.error).message : null)}
      onSubmit={() => add.mutate({ choice, reference, split })}
    >
      <p className="text-ink-2">{description}</p>
      {children}
      <DatasetFields choice={choice} />
      <ReferenceChoice value={reference} onChange={setReference} />
      <SuggestField
        label="Split"
        suggestions={choice.splits}
        value={split}
        hint="For example dev or held_out. Leave empty for no split."
        onChange={setSplit}
      />
    </FormDialog>
  );
}

/** The announced result for several turns. */
const resultText = (result: ItemsChanged): string =>
  `${changesText(result)}, ${result.rejected.length.toLocaleString('en')} rejected`;

/** The result for one turn. */
function doneText({ added, version, rejected }: ItemsChanged): string {
  const [refused] = rejected;
  if (refused !== undefined) return `Not added. ${refused.message}`;
  return added > 0
    ? `Added to version ${version}.`
    : 'The dataset already has an item of this turn. Nothing changed.';
}

interface ReferenceChoiceProps {
  value: Reference;
  onChange: (reference: Reference) => void;
}

function ReferenceChoice({ value, onChange }: ReferenceChoiceProps) {
  const id = useId();
  return (
    <fieldset className="grid gap-1">
      <legend className="font-semibold">Reference</legend>
      {references.map(([reference, label, hint]) => (
        <label key={reference} className="flex items-baseline gap-2">
          <input
            type="radio"
            name={id}
            checked={value === reference}
            onChange={() => onChange(reference)}
          />
          <span>
            {label} <span className="text-12 text-ink-3">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
