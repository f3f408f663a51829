'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Dataset, PromptSummary, Verifier } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { Empty, Panel } from '@/app/_ui/panel';
import { experimentLimits } from '@/server/experiments/input';
import { CheckField } from '../../reports/(list)/check-field';
import { experimentHref } from '../experiment-words';
import { DatasetFields } from './dataset-fields';
import {
  type DraftErrors,
  emptyDraft,
  errorsAt,
  type ExperimentDraft,
  readDraft,
} from './experiment-draft';
import { TargetFields } from './target-fields';

interface ExperimentFormProps {
  project: string;
  /** Those with items. */
  datasets: readonly Dataset[];
  /** `provider:model` of each model of the project's providers. */
  models: readonly string[];
  /** Those of applications. */
  prompts: readonly PromptSummary[];
  /** Those that read turns. */
  verifiers: readonly Verifier[];
  /** The dataset of the address. */
  dataset: string | null;
}

/** Props of all groups of fields. */
export interface FieldsProps {
  readonly draft: ExperimentDraft;
  readonly errors: DraftErrors;
  readonly onChange: (part: Partial<ExperimentDraft>) => void;
}

export function ExperimentForm({
  project,
  datasets,
  models,
  prompts,
  verifiers,
  dataset,
}: ExperimentFormProps) {
  const router = useRouter();
  const known = datasets.find(({ slug }) => slug === dataset) ?? datasets[0];
  const [draft, setDraft] = useState(() => emptyDraft(known?.slug ?? ''));
  const [errors, setErrors] = useState<DraftErrors>({});
  const start = useMutation(
    useTRPC().experiments.start.mutationOptions({
      onSuccess: ({ id }) => {
        announce('Experiment started');
        router.push(experimentHref(project, id));
      },
      onError: (error) => setErrors(errorsAt(Object.entries(problemOf(error).fields))),
    }),
  );
  if (known === undefined) return <NoDataset project={project} />;
  const change = (part: Partial<ExperimentDraft>) => {
    setErrors({});
    start.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const submit = () => {
    const read = readDraft(draft);
    if ('errors' in read) return setErrors(read.errors);
    start.mutate({ project, ...read.input });
  };
  const fields: FieldsProps = { draft, errors, onChange: change };
  const hasFieldError = Object.keys(errors).length > 0;
  return (
    <form
      noValidate
      aria-label="Experiment"
      className="grid max-w-[960px] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Panel title="What to run">
        <div className="grid gap-4 p-4">
          <Field
            label="Name"
            placeholder="gpt-4o-mini, short answers"
            autoComplete="off"
            value={draft.name}
            error={errors.name}
            onChange={(event) => change({ name: event.target.value })}
          />
          <DatasetFields {...fields} datasets={datasets} />
        </div>
      </Panel>
      <TargetFields {...fields} project={project} models={models} prompts={prompts} />
      <VerifierChoice {...fields} verifiers={verifiers} />
      <LimitFields {...fields} />
      <FieldError
        text={
          hasFieldError
            ? 'Some fields have errors, shown below them.'
            : start.error
              ? problemOf(start.error).message
              : null
        }
      />
      <div>
        <Button type="submit" variant="primary" busy={start.isPending}>
          Start experiment
        </Button>
      </div>
    </form>
  );
}

function VerifierChoice({
  draft,
  errors,
  onChange,
  verifiers,
}: FieldsProps & { verifiers: readonly Verifier[] }) {
  return (
    <Panel title="Verifiers">
      <div className="grid gap-3 p-4">
        <div role="group" aria-label="Verifiers" className="grid items-start gap-3 md:grid-cols-2">
          {verifiers.map(({ slug, name, description }) => (
            <CheckField
              key={slug}
              label={name === slug ? name : `${name} (${slug})`}
              hint={description === '' ? undefined : description}
              checked={draft.verifiers.includes(slug)}
              onChange={(on) =>
                onChange({
                  verifiers: on
                    ? [...draft.verifiers, slug]
                    : draft.verifiers.filter((each) => each !== slug),
                })
              }
            />
          ))}
        </div>
        <FieldError text={errors.verifiers} />
      </div>
    </Panel>
  );
}

function LimitFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <Panel title="Limits">
      <div className="grid items-start gap-4 p-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field
          label="Repetitions"
          hint={`Calls per item, 1 to ${experimentLimits.repetitions}.`}
          inputMode="numeric"
          autoComplete="off"
          value={draft.repetitions}
          error={errors.repetitions}
          onChange={(event) => onChange({ repetitions: event.target.value })}
        />
        <Field
          label="Concurrency"
          hint={`Calls at a time, 1 to ${experimentLimits.concurrency}.`}
          inputMode="numeric"
          autoComplete="off"
          value={draft.concurrency}
          error={errors.concurrency}
          onChange={(event) => onChange({ concurrency: event.target.value })}
        />
        <Field
          label="Budget, US dollars"
          hint="For target and judges. Empty: no limit."
          inputMode="decimal"
          autoComplete="off"
          value={draft.budget}
          error={errors.budget}
          onChange={(event) => onChange({ budget: event.target.value })}
        />
        <Field
          label="Branch"
          hint="Optional, for the list."
          autoComplete="off"
          mono
          value={draft.branch}
          error={errors.branch}
          onChange={(event) => onChange({ branch: event.target.value })}
        />
      </div>
    </Panel>
  );
}

function NoDataset({ project }: { project: string }) {
  return (
    <Panel title="Dataset">
      <Empty title="No dataset has items yet.">
        <p>
          An experiment runs over the items of a dataset. Create one under{' '}
          <Link href={`/p/${project}/datasets`} className="underline">
            Datasets
          </Link>{' '}
          first.
        </p>
      </Empty>
    </Panel>
  );
}
