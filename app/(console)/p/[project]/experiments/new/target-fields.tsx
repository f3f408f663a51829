import { NoProvider } from '@/app/(console)/no-provider';
import type { PromptSummary } from '@/app/_trpc/outputs';
import { ToggleGroup } from '@/app/_ui/filter-bar';
import { Field, SelectField, TextAreaField } from '@/app/_ui/field';
import { Toggle } from '@/app/_ui/filter-fields';
import { Panel } from '@/app/_ui/panel';
import { plainText } from '@/app/_ui/visible-text';
import { JudgeField } from '../../settings/judging/judge-field';
import type { TargetType } from './experiment-draft';
import type { FieldsProps } from './experiment-form';

const types: readonly (readonly [TargetType, string])[] = [
  ['prompt', 'Model'],
  ['http', 'HTTP address'],
  ['outputs', 'I send the outputs'],
];

interface TargetFieldsProps extends FieldsProps {
  readonly project: string;
  readonly models: readonly string[];
  /** Those of applications. */
  readonly prompts: readonly PromptSummary[];
}

/** The source of the outputs. */
export function TargetFields({ project, models, prompts, ...fields }: TargetFieldsProps) {
  const { draft, onChange } = fields;
  return (
    <Panel
      title="Target"
      aside={
        <span className="text-12 text-ink-3">
          Placeholders: <code className="font-mono">{'{{input}}'}</code>,{' '}
          <code className="font-mono">{'{{context}}'}</code>,{' '}
          <code className="font-mono">{'{{tools}}'}</code> and names of the metadata
        </span>
      }
    >
      <div className="grid gap-4 p-4">
        <ToggleGroup label="Target">
          {types.map(([type, name]) => (
            <Toggle
              key={type}
              on={draft.target === type}
              onChange={() => onChange({ target: type })}
            >
              {name}
            </Toggle>
          ))}
        </ToggleGroup>
        {draft.target === 'prompt' ? (
          <PromptFields {...fields} project={project} models={models} prompts={prompts} />
        ) : draft.target === 'http' ? (
          <HttpFields {...fields} />
        ) : (
          <p className="text-ink-2 max-w-[72ch]">
            Assay calls nothing. Send the outputs of your own program to{' '}
            <code className="text-12 font-mono">POST /v1/experiments/{'{id}'}/outputs</code>, up to
            1,000 per request, then call{' '}
            <code className="text-12 font-mono">POST /v1/experiments/{'{id}'}/finish</code>.
          </p>
        )}
      </div>
    </Panel>
  );
}

function PromptFields(props: TargetFieldsProps) {
  const { project, models, prompts, draft, errors, onChange } = props;
  return (
    <>
      {models.length === 0 ? <NoProvider project={project} /> : null}
      <JudgeField
        label="Model"
        hint="With parameters as in openai:gpt-4o-mini?temperature=0.3, if you name another model."
        none="Choose a model"
        models={models}
        value={draft.model}
        error={errors.model}
        disabled={false}
        onChange={(model) => onChange({ model })}
      />
      {prompts.length === 0 ? null : (
        <SelectField
          label="Prompt"
          value={draft.prompt}
          options={[
            ['', 'Messages written here'],
            ...prompts.map(({ slug, title }) => [slug, `${plainText(title)} (${slug})`] as const),
          ]}
          onChange={(prompt) => onChange({ prompt })}
        />
      )}
      {draft.prompt === '' ? <MessageFields {...props} /> : <VersionField {...props} />}
    </>
  );
}

function VersionField({ draft, errors, onChange }: FieldsProps) {
  return (
    <Field
      label="Version or label of the prompt"
      hint="For example 7 or candidate. Leave empty for the version in production."
      autoComplete="off"
      value={draft.promptVersion}
      error={errors.promptVersion}
      onChange={(event) => onChange({ promptVersion: event.target.value })}
    />
  );
}

function MessageFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <>
      <TextAreaField
        label="System message"
        hint="Optional."
        rows={4}
        value={draft.system}
        onChange={(event) => onChange({ system: event.target.value })}
      />
      <TextAreaField
        label="User message"
        rows={3}
        value={draft.user}
        error={errors.user}
        onChange={(event) => onChange({ user: event.target.value })}
      />
    </>
  );
}

function HttpFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label="Address"
        hint="Receives a POST for each item. Set headers with keys through the HTTP API."
        placeholder="https://host.example/answer"
        mono
        autoComplete="off"
        value={draft.url}
        error={errors.url}
        onChange={(event) => onChange({ url: event.target.value })}
      />
      <TextAreaField
        label="JSON body"
        mono
        rows={5}
        value={draft.body}
        error={errors.body}
        onChange={(event) => onChange({ body: event.target.value })}
      />
      <Field
        label="Answer in the reply"
        hint="A JSONPath, such as $.answer. $ is the whole reply."
        mono
        autoComplete="off"
        value={draft.output}
        error={errors.output}
        onChange={(event) => onChange({ output: event.target.value })}
      />
    </>
  );
}
