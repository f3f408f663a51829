import { SwitchSetting } from '@/app/(console)/switch-setting';
import Link from 'next/link';
import { Panel } from '@/app/_ui/panel';
import { JudgeField } from '../../settings/judging/judge-field';
import { NumberSetting } from './number-setting';
import type { FieldsProps } from './route-form';

const prompts = [
  ['turn-verifier', 'prompt of the verifier'],
  ['turn-steering', 'text that passes on its note'],
  ['turn-reminder', 'reminder at the end of the prompt'],
] as const;

/** The second model that verifies answers on their way. */
export function VerifierFields({ models, ...fields }: FieldsProps & { models: readonly string[] }) {
  const { project, draft, errors, locked, onChange, sourceText } = fields;
  const isOff = draft.model.trim() === '';
  return (
    <Panel title="Quality verifier">
      <div className="grid max-w-[960px] gap-4 p-4">
        <JudgeField
          label="Verifier model"
          hint={`${isOff ? 'Off: the gateway verifies no answer on this route.' : 'It receives the conversation and the answer, and passes the answer or writes a note.'} ${sourceText('model')}`}
          none="None: the verifier is off"
          models={models}
          value={draft.model}
          error={errors.model}
          disabled={locked}
          onChange={(model) => onChange({ model })}
        />
        <div className="grid items-start gap-4 md:grid-cols-2">
          <NumberSetting name="frequency" isInteger {...fields} />
          <NumberSetting name="minTurn" isInteger {...fields} />
          <NumberSetting name="followupWeight" {...fields} />
          <NumberSetting name="maxHistory" isInteger {...fields} />
          <NumberSetting name="controlShare" {...fields} />
          <NumberSetting name="firstTokenTimeout" {...fields} />
          <NumberSetting name="maxFailures" isInteger {...fields} />
          <NumberSetting name="cooldown" {...fields} />
        </div>
        <SwitchSetting
          label="Keep notes for the next request"
          meaning={
            draft.deferred
              ? 'The gateway delivers the original answer and adds the note to the next request of the session.'
              : 'The gateway retries immediately with the note, and the client receives only the new answer.'
          }
          source={sourceText('deferred')}
          on={draft.deferred}
          locked={locked}
          onChange={(deferred) => onChange({ deferred })}
        />
        <div className="grid gap-1">
          <h3 className="text-13 font-semibold">Prompts</h3>
          <ul className="grid gap-0.5">
            {prompts.map(([slug, what]) => (
              <li key={slug}>
                <Link
                  href={`/p/${project}/prompts/${slug}`}
                  prefetch={false}
                  className="font-mono underline"
                >
                  {slug}
                </Link>{' '}
                <span className="text-ink-3">{what}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Panel>
  );
}
