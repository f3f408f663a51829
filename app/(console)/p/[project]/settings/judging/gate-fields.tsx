import { useId } from 'react';
import { inputClass } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import type { JudgingDraft } from './judging-draft';

interface GateFieldsProps {
  draft: JudgingDraft;
  locked: boolean;
  onChange: (part: Partial<JudgingDraft>) => void;
}

/** The requirements for another prompt or another judge before it runs. */
export function GateFields({ draft, locked, onChange }: GateFieldsProps) {
  const id = useId();
  return (
    <Panel title="Promotion gate">
      <div className="grid max-w-[512px] gap-1 p-4">
        <label htmlFor={id} className="font-semibold">
          Another prompt version or judge
        </label>
        <select
          id={id}
          disabled={locked}
          aria-describedby={`${id}-hint`}
          value={draft.promotionGate}
          onChange={(event) =>
            onChange({ promotionGate: event.target.value === 'require' ? 'require' : 'advise' })
          }
          className={inputClass}
        >
          <option value="advise">Advise: refuse a change that a trial found worse</option>
          <option value="require">
            Require: a trial without a loss, and approval by another person
          </option>
        </select>
        <p id={`${id}-hint`} className="text-12 text-ink-3">
          Only trials on held-out labels count. With Advise, a person can override the gate with a
          reason. The gate does not apply to rollbacks.
        </p>
      </div>
    </Panel>
  );
}
