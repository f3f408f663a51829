import type { ConfigField } from '@/app/_trpc/outputs';

export type ConfigValue = ConfigField['value'];

/** A person's edits, by the key of the field; a number as typed. */
export type ConfigEdits = ReadonlyMap<string, ConfigValue>;

/** The form's value: the typed one, else the stored one. */
export function shownValue({ key, type, value }: ConfigField, edits: ConfigEdits): ConfigValue {
  const shown = edits.get(key) ?? value;
  return type === 'number' ? String(shown) : shown;
}

type Read =
  | { readonly ok: true; readonly config: Record<string, ConfigValue> }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/**
 * The edits that differ from the stored values. The server checks ranges; only non-numbers are
 * refused here.
 */
export function readEdits(fields: readonly ConfigField[], edits: ConfigEdits): Read {
  const errors: [string, string][] = [];
  const changes: [string, ConfigValue][] = [];
  for (const field of fields) {
    const edited = edits.get(field.key);
    if (edited === undefined) continue;
    const value = readEdit(field, edited);
    if (value === null) errors.push([field.key, rangeText(field)]);
    else if (JSON.stringify(value) !== JSON.stringify(field.value))
      changes.push([field.key, value]);
  }
  return errors.length > 0
    ? { ok: false, errors: Object.fromEntries(errors) }
    : { ok: true, config: Object.fromEntries(changes) };
}

/** Null when the text is not a number. */
function readEdit({ type }: ConfigField, edited: ConfigValue): ConfigValue | null {
  if (type === 'number') return numberOf(String(edited));
  if (type !== 'texts' || Array.isArray(edited)) return edited;
  return String(edited)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const rangeText = (field: ConfigField): string =>
  field.type === 'number'
    ? `Enter a number from ${plain(field.min)} to ${plain(field.max)}.`
    : 'Enter a number.';

function numberOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  return /^-?\d*\.?\d+$/.test(text) ? Number(text) : null;
}

/** A value for people: the name of a choice, not its key. */
export function valueText(field: ConfigField, value: ConfigValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return plain(value);
  const names =
    'options' in field
      ? new Map(field.options.map((option) => [option.value, option.name]))
      : new Map<string, string>();
  if (typeof value === 'string') return names.get(value) ?? value;
  return value.length === 0 ? 'none' : value.map((each) => names.get(each) ?? each).join(', ');
}

const plain = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 6, useGrouping: value >= 10_000 });
