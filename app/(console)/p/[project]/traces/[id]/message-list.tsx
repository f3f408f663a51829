import type { SpanContent } from '@/app/_trpc/outputs';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText } from '../../verdicts/[id]/block';
import { Part } from '../part';
import { ValueText } from '../value-text';

type Message = SpanContent['input'][number];

/** A conversation as recorded in the span: messages, tool calls, and their results. */
export function MessageList({ name, messages }: { name: string; messages: readonly Message[] }) {
  return messages.map((message, index) => (
    <Block
      key={index}
      title={messages.length === 1 ? name : `${name} ${index + 1}`}
      aside={<Tag text={message.role} />}
    >
      {message.text === '' ? null : <LongText text={message.text} />}
      {message.calls.map((call, at) => (
        <Part
          key={`call ${at}`}
          name={`Calls ${plainText(call.name ?? 'a tool')}${call.ranByProvider ? ', run by the provider' : ''}`}
        >
          <ValueText text={call.arguments} />
        </Part>
      ))}
      {message.results.map((result, at) => (
        <Part
          key={`result ${at}`}
          name={`Result of ${plainText(result.name ?? result.callId ?? 'a tool')}`}
        >
          <ValueText text={result.result} />
        </Part>
      ))}
      {message.other.length > 0 ? (
        <p className="text-ink-3">Not shown: {plainText(message.other.join(', '))}</p>
      ) : null}
      {message.text === '' &&
      message.calls.length + message.results.length + message.other.length === 0 ? (
        <p className="text-ink-3">Empty</p>
      ) : null}
    </Block>
  ));
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
