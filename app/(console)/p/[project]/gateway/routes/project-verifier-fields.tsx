import { SettingHint } from '@/app/(console)/switch-setting';
import { SelectField } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import { NumberSetting } from './number-setting';
import type { FieldsProps } from './route-form';
import { verifyChoices } from './route-words';

/** A verifier of the project, in addition to the Quality Verifier and integrity. */
export function ProjectVerifierFields(fields: FieldsProps & { verifiers: readonly string[] }) {
  const { draft, errors, locked, onChange, sourceText, verifiers } = fields;
  const isOff = draft.verifier === '';
  // A stored verifier may be archived since.
  const options = isOff ? verifiers : [...new Set([...verifiers, draft.verifier])];
  return (
    <Panel title="Project verifier">
      <div className="grid max-w-[960px] gap-4 p-4">
        <div className="max-w-[480px]">
          <SelectField
            label="Verifier"
            disabled={locked}
            value={draft.verifier}
            options={[['', 'None'], ...options.map((slug) => [slug, slug] as const)]}
            onChange={(verifier) => onChange({ verifier })}
            error={errors.verifier}
            hint={
              <SettingHint
                meaning={
                  isOff
                    ? 'No verifier in addition to the two of the gateway.'
                    : 'A worker verifies answers of this route by this verifier.'
                }
                source={sourceText('verifier')}
              />
            }
          />
        </div>
        {isOff ? null : (
          <>
            <fieldset className="grid gap-2">
              <legend className="pb-1 font-semibold">Mode</legend>
              {verifyChoices.map(({ mode, name, meaning }) => (
                <label key={mode} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
                  <input
                    type="radio"
                    name="verify-mode"
                    className="accent-accent mt-0.5 size-4"
                    checked={draft.verifyMode === mode}
                    disabled={locked}
                    onChange={() => onChange({ verifyMode: mode })}
                  />
                  <span>{name}</span>
                  <span />
                  <span className="text-12 text-ink-3">
                    {draft.verifyMode === mode ? (
                      <SettingHint meaning={meaning} source={sourceText('verifyMode')} />
                    ) : (
                      meaning
                    )}
                  </span>
                </label>
              ))}
            </fieldset>
            <div className="grid items-start gap-4 md:grid-cols-2">
              <NumberSetting name="verifyEvery" isInteger {...fields} />
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}
