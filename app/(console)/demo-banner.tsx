'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../_trpc/client';
import type { Project } from '../_trpc/outputs';
import { problemOf } from '../_trpc/problem';
import { Button } from '../_ui/button';
import { Confirm } from '../_ui/confirm';

/**
 * Shown on every page of a demo project: its models, times and reviewers must not be mistaken for
 * real ones.
 */
export function DemoBanner({ project }: { project: Project }) {
  const [asking, setAsking] = useState(false);
  if (!project.simulated) return null;
  return (
    <section
      aria-label="This project is simulated"
      className="bg-accent-wash border-line text-ink flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1 md:px-6 print:flex"
    >
      <p className="min-w-0 flex-1 basis-72">
        <strong className="font-semibold">Simulated project. </strong>
        Models, judges and reviewers are scripted; faults and times are planted.{' '}
        <span className="max-xl:sr-only">
          Verdicts and measures are computed as in any project.
        </span>
      </p>
      {project.role === 'owner' ? (
        <Button variant="quiet" onClick={() => setAsking(true)}>
          Remove the demo
        </Button>
      ) : null}
      {asking ? <RemoveDemo project={project} onClose={() => setAsking(false)} /> : null}
    </section>
  );
}

function RemoveDemo({ project, onClose }: { project: Project; onClose: () => void }) {
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.projects.remove.mutationOptions({
      // A full page load: this page's memory belongs to a deleted project.
      onSuccess: () => window.location.assign('/'),
    }),
  );
  return (
    <Confirm
      title="Remove demo"
      action="Remove the demo"
      busy={remove.isPending || remove.isSuccess}
      error={remove.error ? problemOf(remove.error).message : null}
      onConfirm={() => remove.mutate({ project: project.slug, slug: project.slug })}
      onClose={onClose}
    >
      <p>
        The project “{project.name}” is removed with all its data: turns, verdicts, labels, prompts,
        keys. This cannot be undone; <code className="font-mono">{project.command} demo</code>{' '}
        creates it again.
      </p>
    </Confirm>
  );
}
