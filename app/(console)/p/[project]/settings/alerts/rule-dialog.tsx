'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { AlertRule } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field, SelectField } from '@/app/_ui/field';
import { plainText } from '@/app/_ui/visible-text';
import { alertFacts } from '@/server/alerts/input';
import { noDataWords } from '../../alerts/alert-words';
import { draftOf, type RuleDraft, type RuleErrors, readRule } from './rule-draft';

interface RuleDialogProps {
  project: string;
  /** Null if the form creates a rule for one verifier. */
  edited: AlertRule | null;
  rules: readonly AlertRule[];
  verifiers: readonly string[];
  onClose: () => void;
}

const limitLabels = {
  share: 'Limit (percent)',
  count: 'Limit',
  seconds: 'Limit (duration)',
  usd: 'Limit (US dollars)',
  none: 'Limit',
} as const;

export function RuleDialog({ project, edited, rules, verifiers, onClose }: RuleDialogProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [chosen, setChosen] = useState(() => edited ?? firstOf(rules));
  const [verifier, setVerifier] = useState(
    edited === null ? (verifiers[0] ?? '') : edited.verifier,
  );
  const [draft, setDraft] = useState<RuleDraft | null>(() =>
    chosen === null ? null : draftOf(chosen),
  );
  const [errors, setErrors] = useState<RuleErrors>({});
  const save = useMutation(
    trpc.alerts.putRule.mutationOptions({
      onSuccess: async () => {
        await client.invalidateQueries({ queryKey: trpc.alerts.pathKey() });
        announce('Rule saved');
        onClose();
      },
    }),
  );
  if (chosen === null || draft === null) return null;
  const change = (part: Partial<RuleDraft>) => {
    setErrors({});
    save.reset();
    setDraft({ ...draft, ...part });
  };
  /** The form starts from the verifier's current rule. */
  const choose = (kind: AlertRule['kind'], of: string) => {
    const found = ruleFor(rules, kind, of);
    if (found === null) return;
    setErrors({});
    save.reset();
    setChosen(found);
    setVerifier(of);
    setDraft(draftOf(found));
  };
  const submit = () => {
    const read = readRule(chosen, draft);
    if ('errors' in read) setErrors(read.errors);
    else save.mutate({ project, kind: chosen.kind, verifier, rule: read });
  };
  const { title } = alertFacts[chosen.kind];
  const heading =
    edited === null
      ? 'A rule for one verifier'
      : verifier === null
        ? title
        : `${title} of ${plainText(verifier)}`;
  return (
    <FormDialog
      title={heading}
      onClose={onClose}
      action="Save rule"
      busy={save.isPending}
      problem={save.error ? problemOf(save.error).message : null}
      onSubmit={submit}
    >
      {edited === null ? (
        <WhichFields
          kind={chosen.kind}
          verifier={verifier ?? ''}
          rules={rules}
          verifiers={verifiers}
          onChoose={choose}
        />
      ) : null}
      <p className="text-ink-2">{chosen.meaning}</p>
      <RuleFields rule={chosen} draft={draft} errors={errors} onChange={change} />
    </FormDialog>
  );
}

const firstOf = (rules: readonly AlertRule[]): AlertRule | null =>
  rules.find(({ kind, verifier }) => verifier === null && alertFacts[kind].perVerifier) ?? null;

/** The verifier's own rule, else the rule for all. */
function ruleFor(
  rules: readonly AlertRule[],
  kind: AlertRule['kind'],
  verifier: string,
): AlertRule | null {
  const ofKind = rules.filter((rule) => rule.kind === kind);
  return (
    ofKind.find((rule) => rule.verifier === verifier) ??
    ofKind.find((rule) => rule.verifier === null) ??
    null
  );
}

interface WhichFieldsProps {
  kind: AlertRule['kind'];
  verifier: string;
  rules: readonly AlertRule[];
  verifiers: readonly string[];
  onChoose: (kind: AlertRule['kind'], verifier: string) => void;
}

function WhichFields({ kind, verifier, rules, verifiers, onChoose }: WhichFieldsProps) {
  const kinds = rules
    .filter((rule) => rule.verifier === null && alertFacts[rule.kind].perVerifier)
    .map((rule) => rule.kind);
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <SelectField
        label="Alert"
        value={kind}
        options={kinds.map((each) => [each, alertFacts[each].title] as const)}
        onChange={(chosen) => onChoose(chosen, verifier)}
      />
      <SelectField
        label="Verifier"
        value={verifier}
        options={verifiers.map((each) => [each, plainText(each)] as const)}
        onChange={(chosen) => onChoose(kind, chosen)}
      />
    </div>
  );
}

interface RuleFieldsProps {
  rule: AlertRule;
  draft: RuleDraft;
  errors: RuleErrors;
  onChange: (part: Partial<RuleDraft>) => void;
}

function RuleFields({ rule, draft, errors, onChange }: RuleFieldsProps) {
  const { unit, alerts, limit, windowed } = alertFacts[rule.kind];
  const field = (name: 'limit' | 'window' | 'renotify', label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      autoComplete="off"
      value={draft[name]}
      error={errors[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
  return (
    <>
      <label className="flex items-center gap-2 font-semibold">
        <input
          type="checkbox"
          className="accent-accent size-4"
          checked={draft.enabled}
          onChange={(event) => onChange({ enabled: event.target.checked })}
        />
        On
      </label>
      {limit === 'none'
        ? null
        : field(
            'limit',
            limitLabels[unit],
            `Alerts ${alerts} this value, not at it.${limit === 'optional' ? ' If empty, it never alerts.' : ''}`,
          )}
      {windowed ? field('window', 'Window', 'Length of the period: 90 min, 12 h, 7 d.') : null}
      <fieldset className="grid gap-1">
        <legend className="pb-1 font-semibold">If no data</legend>
        {(['ok', 'keep', 'alert'] as const).map((mode) => (
          <label key={mode} className="flex items-center gap-2">
            <input
              type="radio"
              name="no-data"
              className="accent-accent size-4"
              checked={draft.noData === mode}
              onChange={() => onChange({ noData: mode })}
            />
            {noDataWords[mode]}
          </label>
        ))}
      </fieldset>
      {field('renotify', 'Re-notify every', 'While the alert lasts. If empty, it notifies once.')}
    </>
  );
}
