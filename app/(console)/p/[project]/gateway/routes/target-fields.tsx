import { SettingHint } from '@/app/(console)/switch-setting';
import { Field, SelectField, TextAreaField } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import type { FieldsProps } from './route-form';

/** The upstream of calls. */
export function TargetFields({
  draft,
  errors,
  locked,
  onChange,
  sourceText,
  isNew,
}: FieldsProps & { isNew: boolean }) {
  return (
    <Panel title="Where calls go">
      <div className="grid max-w-[720px] gap-4 p-4">
        {isNew ? (
          <Field
            label="Name"
            hint={`Calls to /gateway/${draft.name.trim() === '' ? '…' : draft.name.trim()}/v1 use this route.`}
            mono
            autoComplete="off"
            value={draft.name}
            error={errors.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        ) : null}
        <Field
          label="Upstream"
          hint={
            <SettingHint
              meaning="The base URL of the API, or the name of a provider. Empty: the provider of the route’s name. A stored key goes only to its own provider’s address."
              source={sourceText('upstream')}
            />
          }
          placeholder="https://host/v1"
          mono
          autoComplete="off"
          disabled={locked}
          value={draft.upstream}
          error={errors.upstream}
          onChange={(event) => onChange({ upstream: event.target.value })}
        />
        <SelectField
          label="API"
          disabled={locked}
          value={draft.api}
          options={[
            ['', 'By the provider’s kind'],
            ['openai', 'OpenAI'],
            ['anthropic', 'Anthropic'],
          ]}
          onChange={(api) => onChange({ api })}
          hint={
            <SettingHint
              meaning="The header that carries the key to the upstream."
              source={sourceText('api')}
            />
          }
        />
        <PathsField {...{ draft, errors, locked, onChange, sourceText }} />
      </div>
    </Panel>
  );
}

/** The paths that the route serves in addition to model calls. */
function PathsField({ draft, errors, locked, onChange, sourceText }: Omit<FieldsProps, 'project'>) {
  return (
    <TextAreaField
      label="Further paths"
      mono
      disabled={locked}
      placeholder="/files/*"
      value={draft.allowPaths}
      error={errors.allowPaths}
      onChange={(event) => onChange({ allowPaths: event.target.value })}
      hint={
        <SettingHint
          meaning="One per line; * matches any characters. Chat, completions, responses, messages, embeddings and models are always allowed. All other paths are refused."
          source={sourceText('allowPaths')}
        />
      }
    />
  );
}
