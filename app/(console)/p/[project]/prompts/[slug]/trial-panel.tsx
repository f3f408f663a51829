'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptDetail, TrialHead } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FieldError, InlineSelect } from '@/app/_ui/field';
import { Empty, Panel, Skeleton } from '@/app/_ui/panel';
import { textName } from './text-name';
import { TrialForm } from './trial-form';
import { TrialView } from './trial-view';
import { isActive, sentenceCase, stateText } from './trial-words';

interface TrialPanelProps {
  project: string;
  prompt: PromptDetail;
  version: number;
  mayWrite: boolean;
  /** The editor's text differs from the version's. */
  isDirty: boolean;
}

/**
 * How often the opened version would have been right on labelled work, next to the current version.
 */
export function TrialPanel({ project, prompt, version, mayWrite, isDirty }: TrialPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { slug, verifier } = prompt;
  const trials = useQuery(trpc.prompts.trials.queryOptions({ project, slug }));
  const [chosen, setChosen] = useState<string | null>(null);
  const versionTrials = trials.data?.filter((trial) => trial.version === version) ?? [];
  const shown = versionTrials.find(({ id }) => id === chosen) ?? versionTrials[0];
  const reread = () =>
    client.invalidateQueries({ queryKey: trpc.prompts.trials.queryKey({ project, slug }) });
  return (
    <Panel
      title="Trial on history"
      aside={
        versionTrials.length > 1 && shown !== undefined ? (
          <TrialChoice trials={versionTrials} shown={shown.id} onChoose={setChosen} />
        ) : null
      }
    >
      <div className="border-line grid gap-3 border-b p-4">
        <p className="text-ink-2 max-w-[80ch]">
          {sentenceCase(textName(version))} judges stored, labelled {verifier} work and is compared
          with the current option, or with another text or judge. No stored verdict, measure or
          budget changes, and nothing is sent out.
          {isDirty ? ' The trial uses the saved text, not the one in the editor.' : ''}
        </p>
        {mayWrite && (shown === undefined || !isActive(shown)) ? (
          <TrialForm
            {...{ project, prompt, version }}
            onStarted={(id) => {
              setChosen(id);
              void reread();
            }}
          />
        ) : null}
      </div>
      {trials.error ? (
        <div className="p-4">
          <FieldError text={problemOf(trials.error).message} />
        </div>
      ) : trials.data === undefined ? (
        <Skeleton className="m-4 h-16" />
      ) : shown === undefined ? (
        <Empty title={`${sentenceCase(textName(version))} has no trial yet.`} />
      ) : (
        <TrialView
          key={shown.id}
          {...{ project, slug, mayWrite }}
          id={shown.id}
          listed={shown.state}
          onEnded={() => void reread()}
        />
      )}
    </Panel>
  );
}

interface TrialChoiceProps {
  trials: readonly TrialHead[];
  shown: string;
  onChoose: (id: string) => void;
}

function TrialChoice({ trials, shown, onChoose }: TrialChoiceProps) {
  return (
    <InlineSelect
      label="Trial of"
      value={shown}
      options={trials.map(
        ({ id, createdAt, state, total }) =>
          [
            id,
            `${createdAt.toISOString().slice(0, 16).replace('T', ' ')} · ${total} · ${stateText[state].toLowerCase()}`,
          ] as const,
      )}
      onChange={onChoose}
      className="max-w-64"
    />
  );
}
