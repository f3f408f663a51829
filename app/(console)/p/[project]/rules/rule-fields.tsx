import { SourceFields } from '@/app/(console)/source-fields';
import { Field, SelectField, TextAreaField } from '@/app/_ui/field';
import { kindViews } from '@/server/verifiers/view';
import {
  type DraftErrors,
  offeredVerifiers,
  type RuleDraft,
  type RuleVerifier,
  targetFor,
} from './rule-draft';

interface RuleFieldsProps {
  draft: RuleDraft;
  errors: DraftErrors;
  isNew: boolean;
  /** Of the project. */
  verifiers: readonly RuleVerifier[];
  onChange: (change: Partial<RuleDraft>) => void;
}

type TextName = Exclude<
  {
    [Name in keyof RuleDraft]: RuleDraft[Name] extends string ? Name : never;
  }[keyof RuleDraft],
  'sources' | 'sourceBlocks' | 'target' | 'sampleBy'
>;

/** The fields of a rule: its filters, its verifier, its sampling, and its cost limits. */
export function RuleFields(props: RuleFieldsProps) {
  const { draft, errors, isNew, verifiers, onChange } = props;
  const targets = verifiers.find(({ slug }) => slug === draft.verifier)?.targets ?? [draft.target];
  const text = (name: TextName) => ({
    value: draft[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <Field label="Name" {...text('name')} readOnly={!isNew} />
        <SelectField
          label="Verifier"
          value={draft.verifier}
          options={offeredVerifiers(verifiers, draft.verifier).map(({ slug }) => [slug, slug])}
          error={errors.verifier}
          onChange={(verifier) => {
            const chosen = verifiers.find(({ slug }) => slug === verifier);
            if (chosen !== undefined)
              onChange({ verifier, target: targetFor(chosen, draft.target) });
          }}
        />
        <SelectField
          label="Target"
          value={draft.target}
          options={targets.map((target) => [target, targetWords[target]])}
          error={errors.target}
          onChange={(target) => onChange({ target })}
        />
      </div>
      <FilterFields {...props} text={text} />
      {kindViews.get(draft.verifier)?.readsTurns === true ? (
        <fieldset className="grid gap-3">
          <legend className="pb-1 font-semibold">Sources in messages</legend>
          <p className="text-12 text-ink-3">
            Tool results and context blocks always count as sources.
          </p>
          <SourceFields draft={draft} errors={errors} onChange={onChange} />
        </fieldset>
      ) : (
        <TextAreaField
          label="Mapping, JSON"
          mono
          rows={2}
          placeholder='{"task_output": "$.output"}'
          hint='Variables of the verifier as JSONPath (RFC 9535) or {"value": …}. Empty: the default.'
          {...text('mapping')}
        />
      )}
      <PaceFields {...props} text={text} />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="accent-accent size-4"
          checked={draft.enabled}
          onChange={(event) => onChange({ enabled: event.target.checked })}
        />
        Enabled
      </label>
    </>
  );
}

interface PartProps extends RuleFieldsProps {
  text: (name: TextName) => {
    value: string;
    error: string | undefined;
    autoComplete: string;
    onChange: (event: { target: { value: string } }) => void;
  };
}

function FilterFields({ draft, errors, verifiers, onChange, text }: PartProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-1 font-semibold">Filter</legend>
      <p className="text-12 text-ink-3">
        Empty fields match everything. * matches any characters; separate choices by commas.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Model" placeholder="openai/*, claude-*" mono {...text('model')} />
        <Field label="Source" placeholder="chat" mono {...text('source')} />
        <Field label="Origin" placeholder="api, otlp, import, gateway" mono {...text('origin')} />
        <Field label="Session" placeholder="s-*" mono {...text('session')} />
        <Field label="Tags, all of them" placeholder="prod, eu" mono {...text('tags')} />
        <Field label="Metadata, JSON" placeholder='{"team": "ops"}' mono {...text('metadata')} />
        <Field label="Shortest answer, characters" inputMode="numeric" {...text('minChars')} />
        <SelectField
          label="Tool results or context"
          value={draft.sources}
          options={Object.entries(sourceWords) as [RuleDraft['sources'], string][]}
          error={errors.sources}
          onChange={(sources) => onChange({ sources })}
        />
        <SelectField
          label="After the verdict of"
          value={draft.afterVerifier}
          options={[
            ['', 'No verdict'],
            ...offeredVerifiers(verifiers, draft.afterVerifier)
              .filter(({ slug }) => slug !== draft.verifier)
              .map(({ slug }): [string, string] => [slug, slug]),
          ]}
          error={errors.afterVerifier}
          onChange={(afterVerifier) => onChange({ afterVerifier })}
        />
        {draft.afterVerifier === '' ? null : (
          <Field
            label="With the outcome"
            placeholder="failed, inconclusive"
            mono
            {...text('afterOutcome')}
          />
        )}
      </div>
      <TextAreaField
        label="Groups, JSON"
        mono
        rows={2}
        placeholder='{"any": [{"model": "a"}, {"tags": "b"}], "not": {"source": "c"}}'
        {...text('groups')}
      />
    </fieldset>
  );
}

function PaceFields({ draft, errors, onChange, text }: PartProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-1 font-semibold">Sampling and budget</legend>
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <Field label="Share, percent" inputMode="decimal" {...text('share')} />
        <SelectField
          label="Sample by"
          value={draft.sampleBy}
          options={[
            ['subject', draft.target],
            ['session', 'session'],
          ]}
          error={errors.sampleBy}
          onChange={(sampleBy) => onChange({ sampleBy })}
        />
        <Field
          label="Every Nth turn"
          hint="Of a session, in place of the share."
          inputMode="numeric"
          {...text('every')}
        />
        <Field label="Delay, seconds" inputMode="numeric" {...text('delay')} />
        <Field
          label="Per day"
          hint="UTC; empty: no limit."
          inputMode="numeric"
          {...text('budget')}
        />
        <Field
          label="US dollars per day"
          hint="For judge calls; empty: no limit."
          inputMode="decimal"
          {...text('budgetUsd')}
        />
      </div>
    </fieldset>
  );
}

const targetWords = {
  turn: 'Turns',
  trace: 'Traces',
  session: 'Sessions',
  mission: 'Missions',
} as const;

const sourceWords = {
  any: 'with sources or without',
  with: 'with sources',
  without: 'without sources',
} as const;
