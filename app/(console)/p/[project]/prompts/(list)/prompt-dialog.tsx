'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field, TextAreaField } from '@/app/_ui/field';

interface PromptDialogProps {
  project: string;
  onDone: (slug: string) => void;
  onClose: () => void;
}

/** The form that a text starts from. */
const startText = `---
title: Answers
description: Answers questions of customers
output: message
---
## system
Answer in one sentence. Use only this context: {{context}}

## user
{{input}}
`;

/** Creates a prompt of an application. */
export function PromptDialog({ project, onDone, onClose }: PromptDialogProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [slug, setSlug] = useState('');
  const [body, setBody] = useState(startText);
  const [message, setMessage] = useState('');
  const create = useMutation(
    trpc.prompts.create.mutationOptions({
      onSuccess: async () => {
        announce('Prompt created');
        await client.invalidateQueries({ queryKey: trpc.prompts.list.queryKey({ project }) });
        onDone(slug);
      },
    }),
  );
  const problem = create.error ? problemOf(create.error) : null;
  const fields = problem?.fields ?? {};
  const isAtField = ['slug', 'body', 'message'].some((name) => fields[name] !== undefined);
  return (
    <FormDialog
      title="Create prompt"
      onClose={onClose}
      wide
      action="Create prompt"
      busy={create.isPending}
      disabled={slug === ''}
      problem={problem !== null && !isAtField ? problem.message : null}
      onSubmit={() => create.mutate({ project, slug, body, message })}
    >
      <p className="text-ink-2 max-w-[80ch]">
        A prompt of your application. Experiments run it on the items of a dataset, and your
        application reads the version in production. No verifier uses it.
      </p>
      <Field
        label="Slug"
        mono
        autoComplete="off"
        value={slug}
        hint="Programs use it; it cannot change later."
        error={fields['slug']}
        onChange={(event) => setSlug(event.target.value)}
      />
      <TextAreaField
        label="Text"
        mono
        rows={14}
        value={body}
        hint="Placeholders: {{input}}, {{context}}, {{tools}}, and members of the metadata that the front matter names in `optional`."
        error={fields['body']}
        onChange={(event) => setBody(event.target.value)}
      />
      <Field
        label="Message (optional)"
        maxLength={500}
        autoComplete="off"
        value={message}
        error={fields['message']}
        onChange={(event) => setMessage(event.target.value)}
      />
    </FormDialog>
  );
}
