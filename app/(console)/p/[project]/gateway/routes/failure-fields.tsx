import { SwitchSetting } from '@/app/(console)/switch-setting';
import { Panel } from '@/app/_ui/panel';
import { NumberSetting } from './number-setting';
import type { FieldsProps } from './route-form';

/** The maximum time for which an answer is buffered, and the action if it cannot be verified. */
export function FailureFields(fields: FieldsProps) {
  const { draft, locked, onChange, sourceText } = fields;
  return (
    <Panel title="When something fails">
      <div className="grid max-w-[960px] gap-4 p-4">
        <SwitchSetting
          label="Refuse answers that cannot be verified"
          meaning={
            draft.failClosed
              ? 'If the gateway cannot verify an answer that is due, it returns status 503: users wait or see an error.'
              : 'If the gateway cannot verify an answer that is due, it delivers the original answer and reports this in its headers.'
          }
          source={sourceText('failClosed')}
          on={draft.failClosed}
          locked={locked}
          onChange={(failClosed) => onChange({ failClosed })}
        />
        <div className="grid items-start gap-4 md:grid-cols-2">
          <NumberSetting name="firstToken" {...fields} />
          <NumberSetting name="total" {...fields} />
        </div>
      </div>
    </Panel>
  );
}
