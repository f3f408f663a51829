import { SwitchSetting } from '@/app/(console)/switch-setting';
import { Panel } from '@/app/_ui/panel';
import { NumberSetting } from './number-setting';
import type { FieldsProps } from './route-form';

/** How long an answer may be held, and what happens when it cannot be verified. */
export function FailureFields(fields: FieldsProps) {
  const { draft, locked, onChange, sourceText } = fields;
  return (
    <Panel title="When something fails">
      <div className="grid max-w-[960px] gap-4 p-4">
        <SwitchSetting
          label="Refuse what cannot be verified"
          meaning={
            draft.failClosed
              ? 'A due answer that cannot be verified is refused with status 503: users wait or see an error.'
              : 'A due answer that cannot be verified goes out as it came, and says so in its headers.'
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
