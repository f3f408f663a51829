'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Project, Setup } from '@/app/_trpc/outputs';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { SetupList } from './setup-list';
import { progressOf, progressText } from './setup-steps';

interface SetupPanelProps {
  project: Project;
  /** Null when it could not be loaded with the page. */
  initial: Setup | null;
}

/**
 * The state of set-up, refetched when the page regains focus: most steps are done outside this
 * page.
 */
function useSetup({ project, initial }: SetupPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const input = { project: project.slug };
  const options = trpc.setup.get.queryOptions(input, {
    ...(initial !== null && { initialData: initial }),
    staleTime: 0,
  });
  const { data } = useQuery(options);
  const refresh = () => client.invalidateQueries({ queryKey: options.queryKey });
  const hide = useMutation(
    trpc.setup.hide.mutationOptions({
      onSuccess: (_, { hidden }) => {
        announce(hidden ? 'Set-up hidden' : 'Set-up shown');
        return refresh();
      },
    }),
  );
  return {
    setup: data,
    refresh,
    hide: (hidden: boolean) => hide.mutate({ ...input, hidden }),
    busy: hide.isPending,
  };
}

/**
 * The steps of a project's first hour, ticked according to the stored data. Collapses once all
 * required steps are done, and disappears when all are.
 */
export function SetupPanel(props: SetupPanelProps) {
  const { project } = props;
  const { setup, refresh, hide, busy } = useSetup(props);
  const [opened, setOpened] = useState<boolean | null>(null);
  const listId = useId();
  if (setup === undefined || setup.hidden) return null;
  const progress = progressOf(setup.steps);
  const isDone = progress.next === null;
  if (isDone && progress.optionalLeft === 0) return null;
  const isOpen = opened ?? !isDone;
  return (
    <Panel
      title="Set-up"
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <span role="status" className="text-ink-2">
            {progressText(progress)}
          </span>
          <Button
            variant="quiet"
            aria-expanded={isOpen}
            aria-controls={listId}
            onClick={() => setOpened(!isOpen)}
          >
            {isOpen ? 'Fold' : 'Show steps'}
          </Button>
          <Button variant="quiet" busy={busy} onClick={() => hide(true)}>
            Dismiss
          </Button>
        </div>
      }
    >
      <div id={listId}>
        {isOpen ? <SetupList project={project} setup={setup} onKey={() => void refresh()} /> : null}
      </div>
    </Panel>
  );
}

/** The link back to a dismissed list, at the end of the page. */
export function SetupAgain(props: SetupPanelProps) {
  const { setup, hide, busy } = useSetup(props);
  if (setup === undefined || !setup.hidden) return null;
  const { next, optionalLeft } = progressOf(setup.steps);
  if (next === null && optionalLeft === 0) return null;
  return (
    <div>
      <Button variant="quiet" busy={busy} onClick={() => hide(false)}>
        Show the set-up steps
      </Button>
    </div>
  );
}

/**
 * An empty project has little else to show: there the list can be neither collapsed nor dismissed.
 */
export function FullSetup(props: SetupPanelProps) {
  const { setup, refresh } = useSetup(props);
  if (setup === undefined) return null;
  return (
    <Panel
      title="Set-up"
      aside={
        <span role="status" className="text-ink-2">
          {progressText(progressOf(setup.steps))}
        </span>
      }
    >
      <SetupList project={props.project} setup={setup} onKey={() => void refresh()} />
    </Panel>
  );
}
