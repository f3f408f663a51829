'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { slugOf } from '@/app/(console)/slug-of';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button, buttonClass } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError, SelectField } from '@/app/_ui/field';
import { plainText } from '@/app/_ui/visible-text';
import type { Draft } from './draft';
import { promptText } from './prompt-text';

interface SavePromptDialogProps {
  project: string;
  draft: Draft;
  onClose: () => void;
}

interface Sent {
  /** Null for a new prompt. */
  readonly slug: string | null;
  readonly title: string;
  readonly message: string;
}

/** Saves the draft's messages as a new prompt, or as the next version of one. */
export function SavePromptDialog({ project, draft, onClose }: SavePromptDialogProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: async ({ slug, title, message }: Sent) => {
      if (slug === null) {
        const body = promptText(draft, { title, description: title });
        const created = slugOf(title);
        const input = { project, slug: created, body, message };
        return { slug: created, ...(await trpcClient.prompts.create.mutate(input)) };
      }
      const { versions } = await trpcClient.prompts.get.query({ project, slug });
      const version = Math.max(...versions.map((each) => each.version));
      const latest = await trpcClient.prompts.body.query({ project, slug, version });
      const body = promptText(draft, { text: latest });
      return { slug, ...(await trpcClient.prompts.save.mutate({ project, slug, body, message })) };
    },
    onSettled: () => client.invalidateQueries({ queryKey: trpc.prompts.pathKey() }),
  });
  const saved = save.data;
  return (
    <Dialog title="Save as prompt" onClose={onClose}>
      {saved === undefined ? (
        <PromptForm
          project={project}
          busy={save.isPending}
          error={save.error ? problemOf(save.error).message : null}
          onSend={save.mutate}
          onClose={onClose}
        />
      ) : (
        <div className="grid gap-4">
          <p role="status">
            The messages are version {saved.version} of {saved.slug} now.
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onClose}>Close</Button>
            <Link
              href={`/p/${project}/prompts/${saved.slug}`}
              prefetch={false}
              className={buttonClass('primary')}
            >
              Open prompt
            </Link>
          </div>
        </div>
      )}
    </Dialog>
  );
}

interface PromptFormProps {
  project: string;
  busy: boolean;
  error: string | null;
  onSend: (sent: Sent) => void;
  onClose: () => void;
}

function PromptForm({ project, busy, error, onSend, onClose }: PromptFormProps) {
  const prompts = useQuery(useTRPC().prompts.list.queryOptions({ project }));
  const [chosen, setChosen] = useState('');
  const [title, setTitle] = useState('');
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const known = (prompts.data ?? []).filter(({ kind }) => kind === 'application');
  const isNew = chosen === '';
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isNew && slugOf(title) === '')
          return setProblem('Enter a title with a letter or digit.');
        onSend({ slug: isNew ? null : chosen, title: title.trim(), message });
      }}
    >
      <SelectField
        label="Prompt"
        value={chosen}
        options={[
          ['', 'New prompt'],
          ...known.map(({ slug, title: name }) => [slug, `${plainText(name)} (${slug})`] as const),
        ]}
        onChange={setChosen}
      />
      {isNew ? (
        <Field
          label="Title"
          hint={title === '' ? undefined : `Its name is ${slugOf(title)}.`}
          autoComplete="off"
          value={title}
          error={problem}
          onChange={(event) => {
            setProblem(null);
            setTitle(event.target.value);
          }}
        />
      ) : null}
      <Field
        label="What changed"
        hint="Optional, for the list of versions."
        autoComplete="off"
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <FieldError text={prompts.error ? problemOf(prompts.error).message : error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
