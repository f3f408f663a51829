'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ItemsChanged } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { SelectField, TextAreaField } from '@/app/_ui/field';
import { changesText } from '../dataset-words';
import { ItemsResult } from '../items-result';
import { bodyOf, detectFormat, type ItemsFormat } from './read-pasted';

const formats: Record<ItemsFormat, string> = { json: 'JSON', jsonl: 'JSON lines', csv: 'CSV' };
const formatNames: readonly ItemsFormat[] = ['json', 'jsonl', 'csv'];

const modes = [
  ['append', 'Append', 'Adds items, and changes those with a known id.'],
  ['replace', 'Replace', 'Also removes the items that you do not send.'],
] as const;

/** Console requests are limited to 1 MiB, where quotes and line ends take two characters. */
const charsMax = 900_000;

interface AddItemsDialogProps {
  project: string;
  slug: string;
  onClose: () => void;
}

export function AddItemsDialog({ project, slug, onClose }: AddItemsDialogProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [done, setDone] = useState<ItemsChanged | null>(null);
  const add = useMutation(
    trpc.datasets.addItems.mutationOptions({
      onSuccess: async (result) => {
        announce(`Items: ${changesText(result)}`);
        setDone(result);
        await client.invalidateQueries({ queryKey: trpc.datasets.pathKey() });
      },
    }),
  );
  if (done !== null) {
    return (
      <Dialog title="Items added" onClose={onClose}>
        <div className="grid gap-4">
          <ItemsResult result={done} />
          <div className="flex justify-end gap-2">
            <Button
              onClick={() => {
                add.reset();
                setDone(null);
              }}
            >
              Add more
            </Button>
            <Button variant="primary" onClick={onClose}>
              Close
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add items" onClose={onClose} wide>
      <ItemsForm
        busy={add.isPending}
        error={add.error ? problemOf(add.error).message : null}
        onSend={(items) => add.mutate({ project, slug, ...items })}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface SentItems {
  readonly text: string;
  readonly format: ItemsFormat;
  readonly mode: 'append' | 'replace';
}

interface ItemsFormProps {
  busy: boolean;
  error: string | null;
  onSend: (items: SentItems) => void;
  onClose: () => void;
}

function ItemsForm({ busy, error, onSend, onClose }: ItemsFormProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ItemsFormat | null>(null);
  const [mode, setMode] = useState<SentItems['mode']>('append');
  const detected = detectFormat(text);
  const format = chosen ?? detected;
  const body = bodyOf(text, format);
  const isTooLong = JSON.stringify(body).length > charsMax;
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTooLong) onSend({ text: body, format, mode });
      }}
    >
      <div className="grid gap-1">
        <label htmlFor={`${id}-file`} className="font-semibold">
          File
        </label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".json,.jsonl,.ndjson,.csv,application/json,text/csv"
          className="text-13 file:bg-surface file:border-line-strong file:rounded-4 file:text-ink min-w-0 file:mr-3 file:h-8 file:cursor-pointer file:border file:px-3"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file === undefined) return;
            setChosen(null);
            void file.text().then(setText);
          }}
        />
      </div>
      <TextAreaField
        label="Items"
        mono
        rows={10}
        value={text}
        hint={
          <>
            An item has an <code className="font-mono">input</code> and, if you want,{' '}
            <code className="font-mono">reference</code>, <code className="font-mono">context</code>
            , <code className="font-mono">split</code>, <code className="font-mono">tags</code> and{' '}
            <code className="font-mono">metadata</code>. In CSV, these are columns.
          </>
        }
        error={
          isTooLong
            ? 'The items are longer than the console can send (900,000 characters). Send them to POST /v1/datasets/{slug}/items, which takes 20 MiB.'
            : error
        }
        onChange={(event) => setText(event.target.value)}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label="Format"
          value={chosen ?? ''}
          options={[
            ['', text.trim() === '' ? 'Detect' : `Detected: ${formats[detected]}`],
            ...formatNames.map((each) => [each, formats[each]] as const),
          ]}
          onChange={(format) => setChosen(format === '' ? null : format)}
        />
        <fieldset className="grid gap-1">
          <legend className="font-semibold">Mode</legend>
          {modes.map(([value, name, hint]) => (
            <label key={value} className="flex items-baseline gap-2">
              <input
                type="radio"
                name={`${id}-mode`}
                checked={mode === value}
                onChange={() => setMode(value)}
              />
              <span>
                {name} <span className="text-12 text-ink-3">{hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={text.trim() === '' || isTooLong}
        >
          {mode === 'append' ? 'Add items' : 'Replace items'}
        </Button>
      </div>
    </form>
  );
}
