import { useId } from 'react';
import type { ConfigField as Field } from '@/app/_trpc/outputs';
import { FieldError, Field as TextField, TextAreaField } from '@/app/_ui/field';
import { type ConfigValue, valueText } from './config-draft';

interface ConfigFieldProps {
  field: Field;
  value: ConfigValue;
  error: string | null;
  locked: boolean;
  onChange: (value: ConfigValue) => void;
}

/** One member of a verifier's config, with its effect. */
export function ConfigField({ field, value, error, locked, onChange }: ConfigFieldProps) {
  const defaultText = `The default is ${valueText(field, field.standard)}.`;
  if (field.type === 'number') {
    return (
      <div className="max-w-[72ch]">
        <TextField
          label={field.name}
          hint={`${field.meaning} From ${valueText(field, field.min)} to ${valueText(field, field.max)}. ${defaultText}`}
          inputMode={field.whole ? 'numeric' : 'decimal'}
          autoComplete="off"
          disabled={locked}
          value={String(value)}
          error={error}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    );
  }
  if (field.type === 'texts') {
    return (
      <div className="max-w-[72ch]">
        <TextAreaField
          label={field.name}
          hint={`${field.meaning} At most ${field.itemsMax} lines of ${field.charsMax} characters. ${defaultText}`}
          rows={5}
          disabled={locked}
          value={Array.isArray(value) ? value.join('\n') : String(value)}
          error={error}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    );
  }
  return (
    <Choices
      field={field}
      value={value}
      defaultText={defaultText}
      error={error}
      locked={locked}
      onChange={onChange}
    />
  );
}

type OptionField = Exclude<Field, { type: 'number' | 'texts' }>;

function Choices({
  field,
  value,
  defaultText,
  error,
  locked,
  onChange,
}: Omit<ConfigFieldProps, 'field'> & { field: OptionField; defaultText: string }) {
  const id = useId();
  const single = field.type === 'choice';
  const options =
    field.type === 'switch' ? [{ value: 'on', name: 'On', meaning: '' }] : field.options;
  const isChosen = (option: string): boolean =>
    Array.isArray(value) ? value.includes(option) : single ? value === option : value === true;
  const toggle = (option: string, checked: boolean) => {
    if (single) return onChange(option);
    if (field.type === 'switch') return onChange(checked);
    // In the order of the options, so that equal choices are equal values.
    onChange(
      options
        .map((each) => each.value)
        .filter((each) => (each === option ? checked : isChosen(each))),
    );
  };
  return (
    <fieldset
      role={single ? 'radiogroup' : undefined}
      aria-label={field.name}
      aria-describedby={`${id}-meaning ${id}-error`}
      className="grid max-w-[72ch] min-w-0 gap-2"
    >
      <legend className="pb-1 font-semibold">{field.name}</legend>
      <p id={`${id}-meaning`} className="text-12 text-ink-3">
        {field.meaning} {defaultText}
      </p>
      {options.map((option) => (
        <label key={option.value} className="flex min-h-6 items-start gap-2">
          <input
            type={single ? 'radio' : 'checkbox'}
            name={id}
            disabled={locked}
            checked={isChosen(option.value)}
            onChange={(event) => toggle(option.value, event.target.checked)}
            className="accent-accent mt-1 shrink-0"
          />
          <span className="min-w-0">
            {option.name}
            <span className="text-ink-2">{option.meaning === '' ? '' : `: ${option.meaning}`}</span>
          </span>
        </label>
      ))}
      <FieldError id={`${id}-error`} text={error} />
    </fieldset>
  );
}
