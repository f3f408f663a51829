import type { Dataset } from '@/app/_trpc/outputs';
import { Field, SelectField } from '@/app/_ui/field';
import { plainText } from '@/app/_ui/visible-text';
import { plural } from '../experiment-words';
import type { FieldsProps } from './experiment-form';

/** The dataset, its version and its split. */
export function DatasetFields({
  draft,
  errors,
  onChange,
  datasets,
}: FieldsProps & { datasets: readonly Dataset[] }) {
  const chosen = datasets.find(({ slug }) => slug === draft.dataset);
  const splits = Object.keys(chosen?.splits ?? {}).toSorted();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <SelectField
        label="Dataset"
        hint={
          chosen === undefined
            ? undefined
            : `${plural(chosen.items, 'item')} in the latest version.`
        }
        error={errors.dataset}
        value={draft.dataset}
        options={datasets.map(({ slug, name }) => [slug, plainText(name)])}
        onChange={(dataset) => onChange({ dataset, version: '', split: '' })}
      />
      <Field
        label="Version"
        inputMode="numeric"
        autoComplete="off"
        placeholder={`latest (${chosen?.version ?? 1})`}
        value={draft.version}
        error={errors.version}
        onChange={(event) => onChange({ version: event.target.value.trim() })}
      />
      <SelectField
        label="Split"
        error={errors.split}
        value={draft.split}
        options={[
          ['', 'All but held_out'],
          ...splits.map((split) => [split, plainText(split)] as const),
        ]}
        onChange={(split) => onChange({ split })}
      />
    </div>
  );
}
