'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Masking } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError, TextAreaField } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import {
  isSameMasking,
  maskingDraftOf,
  maskingFaults,
  type MaskingType,
  readMaskingDraft,
} from './masking-draft';

const labelOf: Record<MaskingType, string> = {
  key: 'Keys and passwords',
  email: 'Email addresses',
  iban: 'IBANs',
  card: 'Payment cards',
  phone: 'Phone numbers',
};
const types = Object.keys(labelOf) as MaskingType[];

/** The masking rules for input, and the number of values that they replaced. */
export function MaskingPanel({ project, initial }: { project: string; initial: Masking }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.data.masking.queryOptions({ project }, { initialData: initial });
  const { data } = useQuery(options);
  const [draft, setDraft] = useState(maskingDraftOf(initial.settings));
  const edited = readMaskingDraft(draft);
  const isChanged = !isSameMasking(edited, data.settings);
  const save = useMutation(
    trpc.settings.update.mutationOptions({
      onSuccess: () => {
        announce(edited === null ? 'Masking turned off' : 'Masking saved');
        void client.invalidateQueries({ queryKey: options.queryKey });
      },
    }),
  );
  const problem = save.error ? problemOf(save.error) : null;
  const faults = maskingFaults(problem?.fields ?? {});
  const isGeneral = problem !== null && faults.regions === null && faults.paths === null;
  return (
    <Panel title="Masking at intake">
      <form
        className="grid max-w-[72ch] gap-4 p-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) save.mutate({ project, masking: edited });
        }}
      >
        <p className="text-ink-2">
          Replaces values with tokens before anything is stored. The same value has the same token
          in all data of the project.
        </p>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">Replace</legend>
          {types.map((type) => (
            <label key={type} className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={draft.types.includes(type)}
                onChange={(event) =>
                  setDraft({
                    ...draft,
                    types: types.filter((each) =>
                      each === type ? event.target.checked : draft.types.includes(each),
                    ),
                  })
                }
              />
              {labelOf[type]}
            </label>
          ))}
        </fieldset>
        <Field
          label="Phone number regions"
          value={draft.regions}
          placeholder="DE, AT"
          hint="Finds national numbers, too. Numbers with a country code are always found."
          error={faults.regions}
          onChange={(event) => setDraft({ ...draft, regions: event.target.value })}
        />
        <TextAreaField
          label="Paths"
          mono
          value={draft.paths}
          placeholder="$.metadata.customer"
          hint="One JSONPath per line. The whole value there is replaced."
          error={faults.paths}
          onChange={(event) => setDraft({ ...draft, paths: event.target.value })}
        />
        <FieldError text={isGeneral ? problem.message : null} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!isChanged}>
            {edited === null && data.settings !== null ? 'Turn masking off' : 'Save masking'}
          </Button>
          <p className="text-ink-3">{countsText(data)}</p>
        </div>
      </form>
    </Panel>
  );
}

function countsText({ settings, replaced }: Masking): string {
  if (replaced.length === 0)
    return settings === null ? 'Masking is off.' : 'No value was replaced in the last 30 days.';
  const names: Readonly<Record<string, string>> = { ...labelOf, masked: 'Values at paths' };
  const parts = replaced.map(
    ({ type, count }) => `${names[type] ?? type} ${count.toLocaleString('en')}`,
  );
  return `Replaced in the last 30 days: ${parts.join(', ')}.`;
}
