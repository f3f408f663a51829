import { Select } from '@/app/_ui/select';
import { Button } from '@/app/_ui/button';
import { TextAreaField } from '@/app/_ui/field';
import { inputClass } from '@/app/_ui/input-styles';
import { Panel } from '@/app/_ui/panel';
import { chatRoles, playgroundLimits } from '@/server/experiments/input';
import type { Draft, Message, Role } from './draft';

interface DraftPanelsProps {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}

const roleNames: Record<Role, string> = {
  system: 'System message',
  user: 'User message',
  assistant: 'Assistant message',
};

/** The messages, and the values of their placeholders. */
export function DraftPanels({ draft, onChange }: DraftPanelsProps) {
  const { messages } = draft;
  const setMessage = (key: number, part: Partial<Message>) =>
    onChange({
      messages: messages.map((message) =>
        message.key === key ? { ...message, ...part } : message,
      ),
    });
  const add = () => {
    const key = Math.max(0, ...messages.map((message) => message.key)) + 1;
    const role = messages.at(-1)?.role === 'user' ? 'assistant' : 'user';
    onChange({ messages: [...messages, { key, role, content: '' }] });
  };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title="Messages">
        <div className="grid gap-4 p-4">
          {messages.map((message) => (
            <MessageField
              key={message.key}
              message={message}
              onChange={(part) => setMessage(message.key, part)}
              onRemove={
                messages.length === 1
                  ? null
                  : () => onChange({ messages: messages.filter(({ key }) => key !== message.key) })
              }
            />
          ))}
          {messages.length < playgroundLimits.messages ? (
            <div>
              <Button onClick={add}>Add message</Button>
            </div>
          ) : null}
        </div>
      </Panel>
      <Panel title="Values">
        <div className="grid gap-4 p-4">
          <TextAreaField
            label="Input"
            hint={<Placeholder name="input" />}
            rows={4}
            value={draft.input}
            onChange={(event) => onChange({ input: event.target.value })}
          />
          <TextAreaField
            label="Context"
            hint={<Placeholder name="context" />}
            rows={3}
            value={draft.context}
            onChange={(event) => onChange({ context: event.target.value })}
          />
          <TextAreaField
            label="Tool results"
            hint={<Placeholder name="tools" />}
            mono
            rows={3}
            value={draft.tools}
            onChange={(event) => onChange({ tools: event.target.value })}
          />
        </div>
      </Panel>
    </div>
  );
}

function Placeholder({ name }: { name: string }) {
  return (
    <>
      A message inserts it with <code className="font-mono">{`{{${name}}}`}</code>; verifiers read
      it.
    </>
  );
}

interface MessageFieldProps {
  message: Message;
  onChange: (part: Partial<Message>) => void;
  onRemove: (() => void) | null;
}

function MessageField({ message: { role, content }, onChange, onRemove }: MessageFieldProps) {
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-2">
        <Select
          label="Role"
          value={role}
          options={chatRoles.map((each) => [each, roleNames[each]] as const)}
          onChange={(next) => onChange({ role: next })}
          className="max-w-48 font-semibold"
        />
        {onRemove === null ? null : (
          <Button variant="quiet" onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <textarea
        aria-label={roleNames[role]}
        rows={Math.min(Math.max(content.split('\n').length, 3), 20)}
        value={content}
        onChange={(event) => onChange({ content: event.target.value })}
        className={`${inputClass} h-auto py-1.5`}
      />
    </div>
  );
}
