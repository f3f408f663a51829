import { useId, useState } from 'react';
import { Confirm } from '@/app/_ui/confirm';
import { type Starter, verifierStarters } from '@/server/catalog/input';

interface StarterChoiceProps {
  value: Starter | null;
  /** Whether another starter would replace typed text. */
  isEdited: boolean;
  onChoose: (starter: Starter) => void;
}

export function StarterChoice({ value, isEdited, onChoose }: StarterChoiceProps) {
  const id = useId();
  const [asked, setAsked] = useState<Starter | null>(null);
  return (
    <div className="grid justify-items-start gap-1">
      <label htmlFor={id} className="font-semibold">
        Start from
      </label>
      <select
        id={id}
        value={value?.slug ?? ''}
        onChange={(event) => {
          const chosen = verifierStarters.find(({ slug }) => slug === event.target.value);
          if (chosen === undefined) return;
          if (isEdited) setAsked(chosen);
          else onChoose(chosen);
        }}
        className="bg-surface text-ink rounded-4 text-13 border-line-strong h-8 max-w-full border px-2"
      >
        {value === null ? <option value="">None</option> : null}
        {verifierStarters.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
      {asked === null ? null : (
        <Confirm
          title={`Replace the definition by ${asked.name}`}
          action="Replace definition"
          busy={false}
          error={null}
          onConfirm={() => {
            onChoose(asked);
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        >
          <p>The text that you changed is lost.</p>
        </Confirm>
      )}
    </div>
  );
}
