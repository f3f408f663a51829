import { SettingHint, SwitchSetting } from '@/app/(console)/switch-setting';
import { SourceFields } from '@/app/(console)/source-fields';
import { Panel } from '@/app/_ui/panel';
import { NumberSetting } from './number-setting';
import type { FieldsProps } from './route-form';
import { integrityChoices } from './route-words';

/** Whether figures in answers are traced, and when. */
export function IntegrityFields(fields: FieldsProps) {
  const { draft, locked, onChange, sourceText } = fields;
  return (
    <Panel title="Integrity">
      <div className="grid max-w-[960px] gap-4 p-4">
        <fieldset className="grid gap-2">
          <legend className="pb-1 font-semibold">Figures in answers</legend>
          {integrityChoices.map(({ mode, name, meaning }) => (
            <label key={mode} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
              <input
                type="radio"
                name="integrity"
                className="accent-accent mt-0.5 size-4"
                checked={draft.integrity === mode}
                disabled={locked}
                onChange={() => onChange({ integrity: mode })}
              />
              <span>{name}</span>
              <span />
              <span className="text-12 text-ink-3">
                {draft.integrity === mode ? (
                  <SettingHint meaning={meaning} source={sourceText('integrity')} />
                ) : (
                  meaning
                )}
              </span>
            </label>
          ))}
        </fieldset>
        <div className="grid items-start gap-4 md:grid-cols-2">
          <NumberSetting name="deadline" isInteger {...fields} />
          <SwitchSetting
            label="Figures of the user’s own question count as sourced"
            meaning={
              draft.userFigures
                ? 'A figure that the user wrote may be repeated without another source.'
                : 'A figure that only the user wrote has no source.'
            }
            source={sourceText('userFigures')}
            on={draft.userFigures}
            locked={locked}
            onChange={(userFigures) => onChange({ userFigures })}
          />
        </div>
        <SourceFields {...fields}>
          <SwitchSetting
            label="List sources below rewritten answers"
            meaning={
              draft.sourcesFooter
                ? 'A rewritten answer ends with “Sources:” and one line for each figure.'
                : 'Nothing is added below an answer.'
            }
            source={sourceText('sourcesFooter')}
            on={draft.sourcesFooter}
            locked={locked}
            onChange={(sourcesFooter) => onChange({ sourcesFooter })}
          />
        </SourceFields>
      </div>
    </Panel>
  );
}
