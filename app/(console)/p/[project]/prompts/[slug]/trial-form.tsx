'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError, SelectField } from '@/app/_ui/field';
import { textName } from './text-name';
import { OptionFields, type Options } from './option-fields';
import { planSentences, sentenceCase } from './trial-words';

interface TrialFormProps {
  project: string;
  prompt: PromptDetail;
  version: number;
  onStarted: (id: string) => void;
}

const maxItems = 200;

interface TrialInput {
  readonly subjects: number;
  readonly order: 'newest' | 'sample';
  readonly heldOut: boolean;
  readonly judge?: string;
  readonly against?: { readonly version: number; readonly judge?: string };
}

/** Shows the cost first, then starts the trial: no model is called before that. */
export function TrialForm({ project, prompt, version, onStarted }: TrialFormProps) {
  const trpc = useTRPC();
  const { slug, verifier } = prompt;
  const running = prompt.fellBack === null ? prompt.production.version : 0;
  const [count, setCount] = useState('50');
  const [order, setOrder] = useState<TrialInput['order']>('newest');
  const [heldOut, setHeldOut] = useState(true);
  const [options, setOptions] = useState<Options>({
    judge: '',
    againstVersion: running,
    againstJudge: '',
  });
  const [trialInput, setTrialInput] = useState<TrialInput | null>(null);
  const subjects = /^\d{1,3}$/.test(count.trim()) ? Number(count) : 0;
  const isCount = subjects >= 1 && subjects <= maxItems;
  const input = { project, slug, version, ...(trialInput ?? { subjects: 1, order }) };
  const plan = useQuery(
    trpc.prompts.planTrial.queryOptions(input, {
      enabled: trialInput !== null,
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),
  );
  const start = useMutation(
    trpc.prompts.startTrial.mutationOptions({
      onSuccess: ({ id }) => {
        announce('Trial started');
        setTrialInput(null);
        onStarted(id);
      },
    }),
  );
  /** An estimate for other subjects no longer applies. */
  const change = (act: () => void) => {
    setTrialInput(null);
    start.reset();
    act();
  };
  const planned = trialInput === null ? undefined : plan.data;
  const problem = start.error ?? (trialInput === null ? null : plan.error);
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isCount && planned === undefined)
          setTrialInput({ subjects, order, heldOut, ...comparisonOf(options, running) });
        else if (trialInput !== null && planned !== undefined && planned.subjects > 0)
          start.mutate({ project, slug, version, ...trialInput });
      }}
    >
      <OptionFields
        {...{ project, prompt }}
        candidateName={sentenceCase(textName(version))}
        value={options}
        onChange={(next) => change(() => setOptions(next))}
      />
      <div className="flex flex-wrap items-start gap-3">
        <div className="w-40">
          <Field
            label="Maximum subjects"
            type="number"
            inputMode="numeric"
            min={1}
            max={maxItems}
            value={count}
            error={isCount ? null : `1 to ${maxItems}`}
            onChange={(event) => change(() => setCount(event.target.value))}
          />
        </div>
        <OrderChoice value={order} onChange={(next) => change(() => setOrder(next))} />
        <HeldOutChoice isOn={heldOut} onChange={(next) => change(() => setHeldOut(next))} />
        <div className="self-end sm:self-auto sm:pt-6">
          {planned === undefined || planned.subjects === 0 ? (
            <Button type="submit" busy={trialInput !== null && plan.isFetching}>
              Estimate
            </Button>
          ) : (
            <Button
              type="submit"
              variant="primary"
              busy={start.isPending}
              disabled={planned.whyNone !== null}
            >
              Run trial on {planned.subjects.toLocaleString('en')}
            </Button>
          )}
        </div>
      </div>
      <div role="status" aria-label="Estimate of the trial">
        {planned === undefined ? null : (
          <p className="text-ink-2 max-w-[80ch] [overflow-wrap:anywhere]">
            {planned.whyNone !== null && planned.subjects > 0
              ? `No judge can be called: ${planned.whyNone}`
              : planSentences(planned, verifier ?? '').join(' ')}
          </p>
        )}
      </div>
      <FieldError text={problem ? problemOf(problem).message : null} />
    </form>
  );
}

/** Omitted when it is the current option: the server then fills it in. */
function comparisonOf(
  { judge, againstVersion, againstJudge }: Options,
  running: number,
): Pick<TrialInput, 'judge' | 'against'> {
  const isNow = againstVersion === running && againstJudge === '';
  return {
    ...(judge !== '' && { judge }),
    ...(!isNow && {
      against: { version: againstVersion, ...(againstJudge !== '' && { judge: againstJudge }) },
    }),
  };
}

function OrderChoice({
  value,
  onChange,
}: {
  value: TrialInput['order'];
  onChange: (order: TrialInput['order']) => void;
}) {
  return (
    <SelectField
      label="Subjects"
      value={value}
      options={[
        ['newest', 'the newest'],
        ['sample', 'a random sample'],
      ]}
      onChange={onChange}
    />
  );
}

function HeldOutChoice({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-2 sm:mt-6 sm:h-8 sm:flex-nowrap">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>Held-out labels only</label>
      <span id={`${id}-hint`} className="text-12 text-ink-3">
        the promotion gate uses no others
      </span>
    </div>
  );
}
