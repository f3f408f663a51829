import { SelectField } from '@/app/_ui/field';
import { useState } from 'react';
import { Confirm } from '@/app/_ui/confirm';
import { type Starter, verifierStarters } from '@/server/catalog/input';

interface StarterChoiceProps {
  value: Starter | null;
  /** Whether another starter would replace typed text. */
  isEdited: boolean;
  onChoose: (starter: Starter) => void;
}

export function StarterChoice({ value, isEdited, onChoose }: StarterChoiceProps) {
  const [requestedStarter, setRequestedStarter] = useState<Starter | null>(null);
  return (
    <div className="grid justify-items-start gap-1">
      <SelectField
        label="Start from"
        value={value?.slug ?? ''}
        options={[
          ...(value === null ? [['', 'None'] as const] : []),
          ...verifierStarters.map(({ slug, name }) => [slug, name] as const),
        ]}
        onChange={(slug) => {
          const chosen = verifierStarters.find((each) => each.slug === slug);
          if (chosen === undefined) return;
          if (isEdited) setRequestedStarter(chosen);
          else onChoose(chosen);
        }}
      />
      {requestedStarter === null ? null : (
        <Confirm
          title={`Replace the definition by ${requestedStarter.name}`}
          action="Replace definition"
          busy={false}
          error={null}
          onConfirm={() => {
            onChoose(requestedStarter);
            setRequestedStarter(null);
          }}
          onClose={() => setRequestedStarter(null)}
        >
          <p>The text that you changed is lost.</p>
        </Confirm>
      )}
    </div>
  );
}
