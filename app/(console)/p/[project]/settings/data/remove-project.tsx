'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';

/** Deletes the project, for owners; its slug is typed as a confirmation. */
export function RemoveProject({ project, name }: { project: string; name: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <Panel title="Remove the project">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="text-ink-2 max-w-[64ch]">
          Deletes all of <VisibleText text={name} />: its received data, verdicts and labels, keys
          and members. This cannot be undone.
        </p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Remove this project
        </Button>
      </div>
      {asking ? <RemoveDialog project={project} onClose={() => setAsking(false)} /> : null}
    </Panel>
  );
}

function RemoveDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const remove = useMutation(
    useTRPC().projects.remove.mutationOptions({
      onSuccess: () => {
        client.clear();
        // A full page load: this page's memory belongs to a deleted project.
        window.location.assign('/');
      },
    }),
  );
  return (
    <Dialog title="Remove this project" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === project) remove.mutate({ project, slug: typed });
        }}
      >
        <Field
          label={`Type ${project} to confirm`}
          value={typed}
          mono
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        <FieldError text={remove.error ? problemOf(remove.error).message : null} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="danger"
            busy={remove.isPending || remove.isSuccess}
            disabled={typed !== project}
          >
            Remove permanently
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
