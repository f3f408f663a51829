'use client';

import { useId } from 'react';
import type { Members } from '@/app/_trpc/outputs';
import { SelectField } from '@/app/_ui/field';

type Member = Members['members'][number];

/** The choice for a member's keys; `handTo` null revokes them. */
export interface KeyChoiceValue {
  readonly keys: 'revoke' | 'hand_over';
  readonly handTo?: string;
}

interface KeyChoiceProps {
  member: Member;
  members: readonly Member[];
  myId: string;
  value: KeyChoiceValue;
  onChange: (value: KeyChoiceValue) => void;
}

/** Asks what happens to the keys of a member. */
export function KeyChoice({ member, members, myId, value, onChange }: KeyChoiceProps) {
  const name = useId();
  const candidates = members.filter(
    (each) => each.userId !== member.userId && (each.role === 'owner' || each.role === 'admin'),
  );
  const count = member.keyCount === 1 ? '1 API key' : `${member.keyCount} API keys`;
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-semibold">{`${member.name} owns ${count}`}</legend>
      <label className="flex items-center gap-2">
        <input
          type="radio"
          name={name}
          className="accent-accent size-4"
          checked={value.keys === 'revoke'}
          onChange={() => onChange({ keys: 'revoke' })}
        />
        Revoke
      </label>
      <p className="text-12 text-ink-3 pl-6">
        Clients that use these keys are refused within a second.
      </p>
      <label className="flex items-center gap-2">
        <input
          type="radio"
          name={name}
          className="accent-accent size-4"
          checked={value.keys === 'hand_over'}
          onChange={() => onChange({ keys: 'hand_over', handTo: myId })}
        />
        Hand over
      </label>
      <p className="text-12 text-ink-3 pl-6">
        The keys keep working. {member.name} may still know them: replace them soon.
      </p>
      {value.keys === 'hand_over' ? (
        <div className="pl-6">
          <SelectField
            label="New owner"
            value={value.handTo ?? myId}
            options={candidates.map(
              (each) =>
                [
                  each.userId,
                  each.userId === myId ? `${each.name} (you)` : `${each.name}, ${each.email}`,
                ] as const,
            )}
            onChange={(handTo) => onChange({ keys: 'hand_over', handTo })}
          />
        </div>
      ) : null}
    </fieldset>
  );
}
