import type { SpanContent } from '@/app/_trpc/outputs';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { LongText } from '../../verdicts/[id]/block';
import { MessageThread } from '../../verdicts/[id]/message-thread';
import { Part } from '../part';
import { ValueText } from '../value-text';

type Message = SpanContent['input'][number];

/** A conversation as recorded in the span: messages, tool calls, and their results. */
export function MessageList({ name, messages }: { name: string; messages: readonly Message[] }) {
  return (
    <MessageThread
      title={name}
      messages={messages.map((message) => ({
        role: message.role,
        body: <MessageBody message={message} />,
      }))}
    />
  );
}

function MessageBody({ message }: { message: Message }) {
  const { text, calls, results, other } = message;
  return (
    <>
      {text === '' ? null : <LongText text={text} />}
      {calls.map((call, at) => (
        <Part
          key={`call ${at}`}
          name={`Calls ${plainText(call.name ?? 'a tool')}${call.ranByProvider ? ', run by the provider' : ''}`}
        >
          <ValueText text={call.arguments} />
        </Part>
      ))}
      {results.map((result, at) => (
        <Part
          key={`result ${at}`}
          name={`Result of ${plainText(result.name ?? result.callId ?? 'a tool')}`}
        >
          <ValueText text={result.result} />
        </Part>
      ))}
      {other.length > 0 ? (
        <p className="text-ink-3">Not shown: {plainText(other.join(', '))}</p>
      ) : null}
      {text === '' && calls.length + results.length + other.length === 0 ? (
        <p className="text-ink-3">Empty</p>
      ) : null}
    </>
  );
}

export function Tag({ text }: { text: string }) {
  return (
    <code
      className="text-12 text-ink-3 max-w-[60%] truncate font-mono [unicode-bidi:isolate]"
      title={plainText(text)}
    >
      <VisibleText text={text} />
    </code>
  );
}
