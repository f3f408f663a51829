import { useId } from 'react';
import { SelectField } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import type { JudgingDraft } from './judging-draft';

interface CodeFieldsProps {
  draft: JudgingDraft;
  locked: boolean;
  onChange: (part: Partial<JudgingDraft>) => void;
}

/** QEL-29 and QEL-49: weights that differ for code. */
export function CodeFields({ draft, locked, onChange }: CodeFieldsProps) {
  const id = useId();
  return (
    <Panel title="Code">
      <div className="grid max-w-[512px] gap-4 p-4">
        <SelectField
          label="Proof that could not be run"
          disabled={locked}
          value={draft.neutralProof}
          options={[
            ['literal', 'Gives no points: 70 of 100 can be reached'],
            ['rescale', 'Is left out: the other 70 points count as 100'],
          ]}
          onChange={(neutralProof) => onChange({ neutralProof })}
          hint="For code whose compiler is not installed, or in a language without one here."
        />
        <div className="flex items-start gap-2">
          <input
            id={`${id}-semantic`}
            type="checkbox"
            disabled={locked}
            aria-describedby={`${id}-semantic-hint`}
            checked={draft.semanticJudge}
            onChange={(event) => onChange({ semanticJudge: event.target.checked })}
            className="mt-1"
          />
          <div className="grid gap-1">
            <label htmlFor={`${id}-semantic`} className="font-semibold">
              Have a judge assess the meaning of the code
            </label>
            <p id={`${id}-semantic-hint`} className="text-12 text-ink-3">
              Up to 15 points more, for code of large models that has 65 to 85 without it. Never
              lifts code that does not compile.
            </p>
          </div>
        </div>
      </div>
    </Panel>
  );
}
