import { SettingHint } from '@/app/(console)/switch-setting';
import { Field } from '@/app/_ui/field';
import type { NumberField } from './route-draft';
import type { FieldsProps } from './route-form';
import { fieldLabels, meanings } from './route-words';

interface NumberSettingProps extends FieldsProps {
  name: NumberField;
  isInteger?: boolean;
}

/** A number with its meaning at this value, and its origin. */
export function NumberSetting({
  name,
  isInteger = false,
  draft,
  errors,
  locked,
  onChange,
  sourceText,
}: NumberSettingProps) {
  return (
    <Field
      label={fieldLabels[name]}
      hint={<SettingHint meaning={meanings[name](draft)} source={sourceText(name)} />}
      inputMode={isInteger ? 'numeric' : 'decimal'}
      autoComplete="off"
      disabled={locked}
      value={draft[name]}
      error={errors[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
}
