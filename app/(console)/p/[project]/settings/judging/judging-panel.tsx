'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useDraftOf } from '@/app/(console)/use-draft-of';
import { useTRPC } from '@/app/_trpc/client';
import type { Judging, Project } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError, SelectField } from '@/app/_ui/field';
import { PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { PromotionPanel } from '../../prompts/[slug]/promotion-panel';
import { CodeFields } from './code-fields';
import { GateFields } from './gate-fields';
import { type GateOverride, JudgeGate } from './judge-gate';
import { JudgeField } from './judge-field';
import { draftOf, type JudgingDraft, type JudgingErrors, readJudging } from './judging-draft';

interface JudgingPanelProps {
  project: Project;
  initial: Judging;
  mayWrite: boolean;
}

export function JudgingPanel({ project, initial, mayWrite }: JudgingPanelProps) {
  const { slug } = project;
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.verifiers.judging.queryOptions(
    { project: slug },
    { initialData: initial, refetchOnWindowFocus: false },
  );
  const { data: judging, refetch } = useQuery(options);
  const { draft, change: setDraft } = useDraftOf(draftOf(judging));
  const [errors, setErrors] = useState<JudgingErrors>({});
  const [words, setWords] = useState<GateOverride>(noOverride);
  const update = useMutation(
    trpc.settings.update.mutationOptions({
      onSuccess: ({ promotion }) => {
        announce(
          promotion?.state === 'waiting'
            ? 'Settings saved; the judge waits for another person'
            : 'Settings saved',
        );
        setWords(noOverride);
        void client.invalidateQueries({ queryKey: options.queryKey });
        void client.invalidateQueries({ queryKey: trpc.promotions.list.queryKey() });
      },
    }),
  );
  const change = (part: Partial<JudgingDraft>) => {
    setErrors({});
    update.reset();
    setWords(noOverride);
    setDraft(part);
  };
  const submit = () => {
    const read = readJudging(draft);
    if ('errors' in read) return setErrors(read.errors);
    const { force, reason } = words;
    update.mutate({
      project: slug,
      ...read,
      ...(force && { force }),
      ...(reason.trim() !== '' && { reason }),
    });
  };
  const edited = readJudging(draft);
  const isOther = !('errors' in edited) && !sameJudges(edited, judging);
  return (
    <>
      <PageHead
        title="Judging"
        sub="Judges and their budget, for new verdicts. Stored verdicts do not change."
      />
      {judging.models.length === 0 ? <NoProvider project={slug} /> : null}
      <form
        noValidate
        aria-label="Judging"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <JudgeFields
          draft={draft}
          errors={errors}
          models={judging.models}
          locked={!mayWrite}
          onChange={change}
        />
        {mayWrite && isOther && !('errors' in edited) ? (
          <JudgeGate
            project={slug}
            defaultJudge={edited.defaultJudge}
            jury={edited.jury}
            words={words}
            onChange={setWords}
          />
        ) : null}
        <GateFields draft={draft} locked={!mayWrite} onChange={change} />
        <MoneyFields
          draft={draft}
          errors={errors}
          standard={judging.standard}
          locked={!mayWrite}
          onChange={change}
        />
        <CodeFields draft={draft} locked={!mayWrite} onChange={change} />
        <FieldError text={update.error ? problemOf(update.error).message : null} />
        {mayWrite ? (
          <div className="flex items-center gap-3">
            <Button type="submit" variant="primary" busy={update.isPending}>
              Save settings
            </Button>
            {update.isSuccess ? (
              <span role="status">
                {update.data.promotion?.state === 'waiting'
                  ? 'Saved; the judge waits for another person’s approval'
                  : 'Saved'}
              </span>
            ) : null}
          </div>
        ) : (
          <p className="text-ink-3">Your role is {project.role}; owners and admins change these.</p>
        )}
      </form>
      <PromotionPanel
        project={slug}
        slug=""
        mayWrite={mayWrite}
        // The restored judges belong to the draft too.
        onChanged={() =>
          void refetch().then(({ data }) => data !== undefined && setDraft(draftOf(data)))
        }
      />
    </>
  );
}

const noOverride: GateOverride = { force: false, reason: '' };

/** Whether the judges are unchanged. */
function sameJudges(
  one: Pick<Judging, 'defaultJudge' | 'jury'>,
  other: Pick<Judging, 'defaultJudge' | 'jury'>,
): boolean {
  return (
    JSON.stringify([one.defaultJudge, ...one.jury]) ===
    JSON.stringify([other.defaultJudge, ...other.jury])
  );
}

function NoProvider({ project }: { project: string }) {
  return (
    <Panel title="No provider configured">
      <Empty title="No model provider is configured, so no judge can run.">
        <p>
          Work that needs a judge is inconclusive. Add a model under{' '}
          <Link href={`/p/${project}/settings/providers`} className="underline">
            Settings › Providers
          </Link>
          ; then these settings take effect.
        </p>
      </Empty>
    </Panel>
  );
}

interface FieldsProps {
  draft: JudgingDraft;
  errors: JudgingErrors;
  locked: boolean;
  onChange: (part: Partial<JudgingDraft>) => void;
}

function JudgeFields({
  draft,
  errors,
  models,
  locked,
  onChange,
}: FieldsProps & { models: readonly string[] }) {
  return (
    <Panel title="Judge model">
      <div className="grid gap-4 p-4">
        <JudgeField
          label="Default judge"
          hint="Called first. It never judges work of its own family; the cheapest model of another family does."
          none="The cheapest model of another family"
          models={models}
          value={draft.defaultJudge}
          error={errors.defaultJudge}
          disabled={locked}
          onChange={(defaultJudge) => onChange({ defaultJudge })}
        />
        <JudgeField
          label="Second judge"
          hint="Forms a jury: the median score counts, and a person reviews work on which the judges disagree."
          none="None: one judge"
          models={models}
          value={draft.second}
          error={errors.second}
          disabled={locked}
          onChange={(second) => onChange({ second })}
        />
        <JudgeField
          label="Third judge"
          hint="With three judges, the majority decides whether a criterion is met."
          none="None"
          models={models}
          value={draft.third}
          error={errors.third}
          disabled={locked}
          onChange={(third) => onChange({ third })}
        />
      </div>
    </Panel>
  );
}

function MoneyFields({
  draft,
  errors,
  standard,
  locked,
  onChange,
}: FieldsProps & { standard: Judging['standard'] }) {
  return (
    <Panel title="Limits">
      <div className="grid max-w-[512px] gap-4 p-4">
        <Field
          label="Floor, US dollars"
          hint={`Checks alone decide work that costs less. The default is ${standard.bypassBelowUsd}.`}
          inputMode="decimal"
          autoComplete="off"
          disabled={locked}
          value={draft.floor}
          error={errors.floor}
          onChange={(event) => onChange({ floor: event.target.value })}
        />
        <Field
          label="Budget, percent of the cost of the work"
          hint={`If a judge call would exceed it, a person reviews the work instead. The default is ${standard.costBudgetShare * 100}.`}
          inputMode="decimal"
          autoComplete="off"
          disabled={locked}
          value={draft.budget}
          error={errors.budget}
          onChange={(event) => onChange({ budget: event.target.value })}
        />
        <SelectField
          label="Retries"
          disabled={locked}
          value={draft.retries}
          options={['0', '1', '2', '3', '4', '5'].map((count) => [count, count] as const)}
          onChange={(retries) => onChange({ retries })}
          hint={`The number of retries with feedback before a person reviews failed work. The default is ${standard.retries}.`}
        />
      </div>
    </Panel>
  );
}
