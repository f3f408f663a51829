import { SelectField } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import type { JudgingDraft } from './judging-draft';

interface GateFieldsProps {
  draft: JudgingDraft;
  locked: boolean;
  onChange: (part: Partial<JudgingDraft>) => void;
}

/** The requirements for another prompt or another judge before it runs. */
export function GateFields({ draft, locked, onChange }: GateFieldsProps) {
  return (
    <Panel title="Promotion gate">
      <div className="max-w-[512px] p-4">
        <SelectField
          label="Another prompt version or judge"
          disabled={locked}
          value={draft.promotionGate}
          options={[
            ['advise', 'Advise: refuse a change that a trial found worse'],
            ['require', 'Require: a trial without a loss, and approval by another person'],
          ]}
          onChange={(promotionGate) => onChange({ promotionGate })}
          hint="Only trials on held-out labels count. With Advise, a person can override the gate with a reason. The gate does not apply to rollbacks."
        />
      </div>
    </Panel>
  );
}
