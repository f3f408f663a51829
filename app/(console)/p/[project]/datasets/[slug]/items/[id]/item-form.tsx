'use client';

import { SuggestField } from '@/app/_ui/suggest-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { DatasetDetail, DatasetItem } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError, TextAreaField } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import { contentText, readTags } from '../../../item-text';

interface Draft {
  readonly content: string;
  readonly split: string;
  readonly tags: string;
  /** The version whose state is edited. */
  readonly of: number;
}

const draftOf = ({ content, split, tags, fromVersion }: DatasetItem): Draft => ({
  content: contentText(content),
  split: split ?? '',
  tags: tags.join(', '),
  of: fromVersion,
});

interface ItemFormProps {
  project: string;
  dataset: Pick<DatasetDetail, 'slug' | 'splits'>;
  item: DatasetItem;
}

/** Saving creates the next version of the dataset. */
export function ItemForm({ project, dataset: { slug, splits }, item }: ItemFormProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [edited, setEdited] = useState<Draft | null>(null);
  const save = useMutation(
    trpc.datasets.editItem.mutationOptions({
      onSuccess: async ({ isNew, version }) => {
        announce(isNew ? `Saved as version ${version}` : 'Nothing changed');
        await client.invalidateQueries({ queryKey: trpc.datasets.pathKey() });
        setEdited(null);
      },
    }),
  );
  const draft = edited ?? draftOf(item);
  const change = (part: Partial<Draft>) => setEdited({ ...draft, ...part });
  const problem = save.error ? problemOf(save.error) : null;
  const fields = problem?.fields ?? {};
  const known = ['content', 'split', 'tags'].some((name) => fields[name] !== undefined);
  return (
    <Panel title="Content">
      <form
        className="grid gap-4 p-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({
            project,
            slug,
            id: item.id,
            content: draft.content,
            split: draft.split.trim() === '' ? null : draft.split.trim(),
            tags: readTags(draft.tags),
          });
        }}
      >
        {draft.of === item.fromVersion ? null : (
          <p role="status" className="bg-loud border-loud-line rounded-4 border px-3 py-2">
            Version {item.fromVersion} changed this item while you were editing. Saving replaces
            that change.
          </p>
        )}
        <TextAreaField
          label="Item as JSON"
          mono
          rows={Math.min(32, Math.max(12, draft.content.split('\n').length + 1))}
          value={draft.content}
          hint="Members: input, context, tools, reference and metadata."
          error={fields['content']}
          onChange={(event) => change({ content: event.target.value })}
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <SuggestField
            label="Split"
            suggestions={Object.keys(splits)}
            value={draft.split}
            hint="Such as dev or held_out. Empty: no split."
            error={fields['split']}
            onChange={(split) => change({ split })}
          />
          <Field
            label="Tags"
            autoComplete="off"
            value={draft.tags}
            hint="Separated by commas."
            error={fields['tags']}
            onChange={(event) => change({ tags: event.target.value })}
          />
        </div>
        <FieldError text={problem !== null && !known ? problem.message : null} />
        <div className="flex justify-end gap-2">
          {edited === null ? null : (
            <Button
              onClick={() => {
                save.reset();
                setEdited(null);
              }}
            >
              Discard changes
            </Button>
          )}
          <Button type="submit" variant="primary" busy={save.isPending} disabled={edited === null}>
            Save as new version
          </Button>
        </div>
      </form>
    </Panel>
  );
}
