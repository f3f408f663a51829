'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import { JudgeField } from '../settings/judging/judge-field';
import { costText, countText, durationText } from '../traces/amounts';
import { LongText } from '../verdicts/[id]/block';
import type { Draft } from './draft';
import { OutputVerdicts } from './output-verdicts';
import { SaveItemDialog } from './save-item-dialog';
import { SavePromptDialog } from './save-prompt-dialog';
import type { Answer } from './use-answers';

interface AnswerColumnProps {
  project: string;
  title: string;
  models: readonly string[];
  model: string;
  draft: Draft;
  answer: Answer | null;
  /** Slugs of the chosen verifiers. */
  verifiers: readonly string[];
  maySaveItems: boolean;
  onModel: (model: string) => void;
  /** Null for the only column. */
  onRemove: (() => void) | null;
}

/** One model with its answer, and the actions on it. */
export function AnswerColumn({
  project,
  title,
  models,
  model,
  draft,
  answer,
  verifiers,
  maySaveItems,
  onModel,
  onRemove,
}: AnswerColumnProps) {
  return (
    <Panel
      title={title}
      aside={
        onRemove === null ? null : (
          <Button variant="quiet" onClick={onRemove}>
            Remove
          </Button>
        )
      }
    >
      <div className="grid gap-4 p-4">
        <JudgeField
          label="Model"
          hint=""
          none="Choose a model"
          models={models}
          value={model}
          error={undefined}
          disabled={false}
          onChange={onModel}
        />
        {answer === null ? null : <AnswerText answer={answer} />}
        {answer?.state === 'answered' ? (
          <AnswerActions
            key={answer.text}
            project={project}
            draft={draft}
            answer={answer}
            verifiers={verifiers}
            maySaveItems={maySaveItems}
          />
        ) : null}
      </div>
    </Panel>
  );
}

function AnswerText({ answer }: { answer: Answer }) {
  return (
    <div className="grid gap-2" aria-busy={answer.state === 'streaming'}>
      {answer.text === '' ? (
        answer.state === 'failed' ? null : (
          <p className="text-ink-3">
            {answer.state === 'streaming' ? 'Waiting for the answer' : 'Empty answer'}
          </p>
        )
      ) : (
        <LongText text={answer.text} />
      )}
      {answer.state === 'failed' ? <FieldError text={answer.message} /> : null}
      {answer.state === 'answered' ? (
        <p className="text-12 text-ink-3">
          {durationText(answer.usage.latencyMs)} · {countText(answer.usage.inputTokens)} tokens in,{' '}
          {countText(answer.usage.outputTokens)} out ·{' '}
          {answer.usage.costUsd === null ? 'price unknown' : costText(answer.usage.costUsd)}
        </p>
      ) : null}
    </div>
  );
}

interface AnswerActionsProps {
  project: string;
  draft: Draft;
  answer: Extract<Answer, { state: 'answered' }>;
  verifiers: readonly string[];
  maySaveItems: boolean;
}

type Saving = 'item' | 'prompt' | null;

function AnswerActions({ project, draft, answer, verifiers, maySaveItems }: AnswerActionsProps) {
  const [saving, setSaving] = useState<Saving>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const verify = useMutation(useTRPC().playground.verify.mutationOptions());
  const { usage, text, item } = answer;
  const start = () => {
    const why =
      verifiers.length === 0
        ? 'Choose a verifier above.'
        : text === ''
          ? 'An empty answer cannot be verified.'
          : null;
    setProblem(why);
    if (why !== null) return;
    const model = usage.provider === null ? usage.model : `${usage.provider}/${usage.model}`;
    const { costUsd } = usage;
    verify.mutate({ project, item, output: text, model, costUsd, verifiers: [...verifiers] });
  };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button busy={verify.isPending} onClick={start}>
          Verify
        </Button>
        {maySaveItems ? <Button onClick={() => setSaving('item')}>Save as item</Button> : null}
        <Button onClick={() => setSaving('prompt')}>Save as prompt</Button>
      </div>
      <FieldError text={verify.error ? problemOf(verify.error).message : problem} />
      {verify.data === undefined ? null : (
        <OutputVerdicts
          project={project}
          turn={verify.data.turnId}
          expected={verify.variables?.verifiers.length ?? 0}
        />
      )}
      {saving === 'item' ? (
        <SaveItemDialog
          project={project}
          draft={draft}
          answer={text}
          onClose={() => setSaving(null)}
        />
      ) : null}
      {saving === 'prompt' ? (
        <SavePromptDialog project={project} draft={draft} onClose={() => setSaving(null)} />
      ) : null}
    </div>
  );
}
