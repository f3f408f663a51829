'use client';

import Link from 'next/link';
import { useState } from 'react';
import { NoProvider } from '@/app/(console)/no-provider';
import type { Verifier } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { playgroundLimits } from '@/server/experiments/input';
import { AnswerColumn } from './answer-column';
import { type Draft, draftProblem } from './draft';
import { DraftPanels } from './draft-panels';
import { useAnswers } from './use-answers';
import { VerifierPanel } from './verifier-panel';

interface PlaygroundProps {
  project: string;
  /** `provider:model` of each model of the project's providers. */
  models: readonly string[];
  /** Those that read turns. */
  verifiers: readonly Verifier[];
  /** Where the draft comes from; null if it is new. */
  source: { readonly name: string; readonly href: string } | null;
  initial: { readonly draft: Draft; readonly model: string };
  maySaveItems: boolean;
}

interface Column {
  readonly key: number;
  readonly model: string;
}

export function Playground({
  project,
  models,
  verifiers,
  source,
  initial,
  maySaveItems,
}: PlaygroundProps) {
  const [draft, setDraft] = useState(initial.draft);
  const [columns, setColumns] = useState<readonly Column[]>([{ key: 0, model: initial.model }]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const { answers, requestAnswer, stop, drop } = useAnswers(project);
  const isAsking = [...answers.values()].some(({ state }) => state === 'streaming');
  const run = () => {
    const why =
      draftProblem(draft) ??
      (columns.some(({ model }) => model.trim() === '') ? 'Choose a model in each column.' : null);
    setProblem(why);
    if (why === null) for (const { key, model } of columns) void requestAnswer(key, model, draft);
  };
  const add = () => {
    const key = Math.max(...columns.map((column) => column.key)) + 1;
    const unused = models.find((model) => !columns.some((column) => column.model === model));
    setColumns([...columns, { key, model: unused ?? models[0] ?? '' }]);
  };
  return (
    <div className="grid gap-4">
      {source === null ? null : (
        <p className="text-ink-2">
          Opened from{' '}
          <Link href={source.href} prefetch={false} className="underline">
            {source.name}
          </Link>
          .
        </p>
      )}
      {models.length === 0 ? <NoProvider project={project} /> : null}
      <DraftPanels draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
      <VerifierPanel verifiers={verifiers} chosen={chosen} onChange={setChosen} />
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" busy={isAsking} onClick={run}>
          {columns.length === 1 ? 'Ask model' : `Ask ${columns.length} models`}
        </Button>
        {isAsking ? <Button onClick={stop}>Stop</Button> : null}
        {columns.length < playgroundLimits.models ? <Button onClick={add}>Add model</Button> : null}
        <FieldError text={problem} />
      </div>
      <div
        className={`grid items-start gap-4 ${columns.length > 1 ? 'md:grid-cols-2' : ''} ${columns.length > 2 ? '2xl:grid-cols-4' : ''}`}
      >
        {columns.map(({ key, model }, n) => (
          <AnswerColumn
            key={key}
            project={project}
            title={`Model ${n + 1}`}
            models={models}
            model={model}
            draft={draft}
            answer={answers.get(key) ?? null}
            verifiers={chosen}
            maySaveItems={maySaveItems}
            onModel={(next) =>
              setColumns(
                columns.map((column) => (column.key === key ? { key, model: next } : column)),
              )
            }
            onRemove={
              columns.length === 1
                ? null
                : () => {
                    drop(key);
                    setColumns(columns.filter((column) => column.key !== key));
                  }
            }
          />
        ))}
      </div>
    </div>
  );
}
