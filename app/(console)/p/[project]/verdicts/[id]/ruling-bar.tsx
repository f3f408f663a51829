'use client';

import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { VerdictDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { iconStateOf } from '@/app/_ui/verdict-badge';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { deriveOutcome } from '@/server/domain';
import { kindViews } from '@/server/verifiers/view';
import { useRefreshPeople } from './use-people';

interface RulingBarProps {
  project: string;
  verdict: VerdictDetail;
}

const grades = [
  [1, 'worst'],
  [2, 'poor'],
  [3, 'fair'],
  [4, 'good'],
  [5, 'best'],
] as const;

interface Draft {
  readonly verdict: string | null;
  readonly grade: number | null;
  readonly reason: string;
}

const empty: Draft = { verdict: null, grade: null, reason: '' };

/**
 * A verdict by the reader, a grade, or both, always in view. Overruling needs a reason; agreeing
 * and grading do not. On a narrow screen the grade and the reason open with a choice or on request.
 */
export function RulingBar({ project, verdict }: RulingBarProps) {
  const trpc = useTRPC();
  const onStored = useRefreshPeople(project, verdict.id);
  const reasonId = useId();
  const [draft, setDraft] = useState(empty);
  const [isExpanded, setExpanded] = useState(false);
  const [missing, setMissing] = useState<string | null>(null);
  const stored = (text: string) => ({
    onSuccess: () => {
      setDraft(empty);
      announce(text);
      onStored();
    },
  });
  const override = useMutation(trpc.labels.override.mutationOptions(stored('Ruling stored')));
  const give = useMutation(trpc.labels.grade.mutationOptions(stored('Grade stored')));
  const overrules = draft.verdict !== null && draft.verdict !== verdict.verdict;
  const reason = draft.reason.trim();
  const change = (part: Partial<Draft>) => {
    setMissing(null);
    override.reset();
    give.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const clear = () => {
    change(empty);
    // The button is about to disappear; the focus stays in the form.
    document.getElementById(reasonId)?.focus();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const base = { project, id: verdict.id, ...(reason === '' ? {} : { reason }) };
    if (draft.verdict === null && draft.grade === null) setMissing('Choose a verdict or a grade.');
    else if (overrules && reason === '') {
      setMissing('Explain why you overrule it.');
      document.getElementById(reasonId)?.focus();
    } else if (draft.verdict !== null)
      override.mutate({
        ...base,
        verdict: draft.verdict,
        ...(draft.grade === null ? {} : { grade: draft.grade }),
      });
    else if (draft.grade !== null) give.mutate({ ...base, grade: draft.grade });
  };
  const failure = override.error ?? give.error;
  const detailsClass = isExpanded || !isEmpty(draft) ? '' : 'max-md:hidden';
  return (
    <form
      onSubmit={submit}
      aria-label="Rule on this verdict"
      data-sticky-bar
      className="bg-surface border-line sticky bottom-0 z-5 -mx-4 grid gap-2 border-t px-4 py-2 md:-mx-6 md:px-6"
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Choices legend="Your verdict">
          {(kindViews.get(verdict.kind)?.verdicts ?? []).map((word) => (
            <Choice
              key={word}
              name="verdict"
              label={word}
              checked={draft.verdict === word}
              onChoose={() => change({ verdict: word })}
            >
              <VerdictIcon state={iconStateOf({ outcome: deriveOutcome(word), verdict: word })} />
              {word}
            </Choice>
          ))}
        </Choices>
        <div className={detailsClass}>
          <Choices legend="Grade">
            {grades.map(([value, word]) => (
              <Choice
                key={value}
                name="grade"
                label={`${value}, ${word}`}
                checked={draft.grade === value}
                onChoose={() => change({ grade: value })}
              >
                {value}
              </Choice>
            ))}
          </Choices>
        </div>
        <div
          className={`flex min-w-56 flex-1 flex-wrap items-center gap-x-2 gap-y-1 ${detailsClass}`}
        >
          <label htmlFor={reasonId} className="text-12 text-ink-2">
            Reason{overrules ? '' : ' (if you overrule it)'}
          </label>
          <textarea
            id={reasonId}
            value={draft.reason}
            maxLength={10_000}
            rows={1}
            aria-required={overrules}
            aria-invalid={missing !== null && overrules ? true : undefined}
            aria-describedby={`${reasonId}-error`}
            onChange={(event) => change({ reason: event.target.value })}
            className="bg-surface text-ink rounded-4 text-13 border-line-strong aria-invalid:border-fail field-sizing-content max-h-40 min-h-8 min-w-40 flex-1 resize-none border px-2 py-1"
          />
        </div>
        <div className="flex items-center gap-2">
          <Button type="submit" variant="primary" busy={override.isPending || give.isPending}>
            {actionOf(draft, overrules)}
          </Button>
          {isEmpty(draft) ? (
            <span className="md:hidden">
              <Button
                variant="quiet"
                aria-expanded={isExpanded}
                onClick={() => setExpanded(!isExpanded)}
              >
                {isExpanded ? 'Less' : 'Grade, reason'}
              </Button>
            </span>
          ) : (
            <Button variant="quiet" onClick={clear}>
              Clear
            </Button>
          )}
        </div>
      </div>
      <FieldError
        id={`${reasonId}-error`}
        text={missing ?? (failure ? problemOf(failure).message : null)}
      />
    </form>
  );
}

function isEmpty({ verdict, grade, reason }: Draft): boolean {
  return verdict === null && grade === null && reason === '';
}

function actionOf({ verdict, grade }: Draft, overrules: boolean): string {
  if (verdict === null) return grade === null ? 'Save' : 'Save grade';
  return overrules ? 'Override verdict' : 'Confirm verdict';
}

function Choices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <div role="radiogroup" aria-label={legend} className="flex flex-wrap items-center gap-1.5">
      <span aria-hidden="true" className="text-12 text-ink-2">
        {legend}
      </span>
      {children}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  /** The accessible name, which includes the visible text. */
  label: string;
  checked: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Choice({ name, label, checked, onChoose, children }: ChoiceProps) {
  return (
    <label className="border-line-strong hover:bg-hover has-checked:border-accent has-checked:bg-accent-wash has-checked:font-semibold rounded-4 relative flex min-h-8 min-w-8 cursor-pointer items-center max-md:min-h-11 max-md:min-w-11 forced-colors:has-checked:outline-2 justify-center gap-1.5 border px-2 has-focus-visible:outline-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2">
      <input
        type="radio"
        name={name}
        aria-label={label}
        checked={checked}
        onChange={onChoose}
        className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
      />
      {children}
    </label>
  );
}
