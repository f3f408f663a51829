'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Retention, RetentionPreview } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import { draftOf, isSame, readDraft } from './retention-draft';

/**
 * The retention of content and records. The data to be deleted is counted and shown before saving.
 */
export function RetentionPanel({ project, initial }: { project: string; initial: Retention }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.data.retention.queryOptions({ project }, { initialData: initial });
  const { data: stored } = useQuery(options);
  const [draft, setDraft] = useState(draftOf(initial));
  const read = readDraft(draft);
  const edited = 'retention' in read ? read.retention : null;
  const faults = 'faults' in read ? read.faults : { content: null, records: null };
  const changed = edited === null || !isSame(edited, stored);
  const [shown, setShown] = useState<{
    readonly of: Retention;
    readonly preview: RetentionPreview;
  } | null>(null);
  const preview = useMutation({
    mutationFn: (retention: Retention) =>
      client.fetchQuery({
        ...trpc.data.preview.queryOptions({ project, retention }),
        staleTime: 0,
      }),
    onSuccess: (preview, of) => setShown({ of, preview }),
  });
  const save = useMutation(
    trpc.data.setRetention.mutationOptions({
      onSuccess: (retention) => {
        client.setQueryData(options.queryKey, retention);
        setShown(null);
        announce('Retention saved');
      },
    }),
  );
  const isShown = shown !== null && edited !== null && isSame(shown.of, edited);
  const problem = preview.error ?? save.error;
  return (
    <Panel title="Retention">
      <form
        className="grid max-w-[72ch] gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (edited === null || !changed) return;
          if (isShown) save.mutate({ project, retention: edited });
          else preview.mutate(edited);
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Days to keep content"
            inputMode="numeric"
            value={draft.content}
            placeholder="for ever"
            hint="Turns, spans, submitted work, proxied calls and model replies."
            error={faults.content}
            onChange={(event) => setDraft({ ...draft, content: event.target.value })}
          />
          <Field
            label="Days to keep records"
            inputMode="numeric"
            value={draft.records}
            placeholder="for ever"
            hint="Verdicts with their scores, labels, and decisions of rules."
            error={faults.records}
            onChange={(event) => setDraft({ ...draft, records: event.target.value })}
          />
        </div>
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-0.5"
            checked={draft.keepLabelled}
            onChange={(event) => setDraft({ ...draft, keepLabelled: event.target.checked })}
          />
          <span>
            Keep labelled data, and the data of anchor sets
            <span className="text-12 text-ink-3 block">
              Measures are computed from it. You can still delete it by hand.
            </span>
          </span>
        </label>
        {isShown ? <Preview preview={shown.preview} /> : null}
        <FieldError text={problem ? problemOf(problem).message : null} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            variant={isShown ? 'danger' : 'primary'}
            busy={preview.isPending || save.isPending}
            disabled={edited === null || !changed}
          >
            {isShown ? 'Save and delete these' : 'Show what is deleted'}
          </Button>
          {changed ? null : (
            <p className="text-ink-3">
              Daily counts are never deleted. A worker checks once an hour.
            </p>
          )}
        </div>
      </form>
    </Panel>
  );
}

function Preview({ preview: { rows } }: { preview: RetentionPreview }) {
  return (
    <div role="status" className="bg-sunken rounded-4 grid gap-1 p-3">
      {rows.length === 0 ? (
        <p>Nothing is that old yet, so nothing is deleted now.</p>
      ) : (
        <>
          <p className="font-semibold">Will be deleted permanently:</p>
          <ul className="tabular-nums">
            {rows.map(({ what, count, atLeast }) => (
              <li key={what}>
                {count.toLocaleString('en')}
                {atLeast ? ' or more' : ''} {what}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
