import { Field } from '@/app/_ui/field';
import type { NumberField } from './route-draft';
import type { FieldsProps } from './route-form';
import { fieldLabels, meanings } from './route-words';

interface NumberSettingProps extends FieldsProps {
  name: NumberField;
  isWhole?: boolean;
}

/** A number with what it means as it stands, and where it is from. */
export function NumberSetting({ name, isWhole = false, draft, errors, locked, onChange, sourceText }: NumberSettingProps) {
  return (
    <Field
      label={fieldLabels[name]}
      hint={<SettingHint meaning={meanings[name](draft)} source={sourceText(name)} />}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      disabled={locked}
      value={draft[name]}
      error={errors[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
}

export function SettingHint({ meaning, source }: { meaning: string; source: string }) {
  return (
    <>
      {meaning} <span className="text-ink-2">{source}</span>
    </>
  );
}

interface SwitchSettingProps {
  label: string;
  meaning: string;
  source: string;
  on: boolean;
  locked: boolean;
  onChange: (on: boolean) => void;
}

export function SwitchSetting({ label, meaning, source, on, locked, onChange }: SwitchSettingProps) {
  return (
    <label className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
      <input
        type="checkbox"
        className="accent-accent mt-0.5 size-4"
        checked={on}
        disabled={locked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="font-semibold">{label}</span>
      <span />
      <span className="text-12 text-ink-3">
        <SettingHint meaning={meaning} source={source} />
      </span>
    </label>
  );
}
