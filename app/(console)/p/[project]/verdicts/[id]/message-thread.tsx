'use client';

import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/app/_ui/button';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from './block';

interface ThreadMessage {
  readonly role: string;
  readonly body: ReactNode;
}

/** More of the last messages are shown if the last question is before them. */
const shownAtOnce = 6;

function countHidden(messages: readonly ThreadMessage[]): number {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  const start = messages.length - shownAtOnce;
  return Math.max(0, question === -1 ? start : Math.min(start, question));
}

/** The messages of a conversation in order; of a long one, the earlier ones open on request. */
export function MessageThread({
  title,
  messages,
}: {
  title: string;
  messages: readonly ThreadMessage[];
}) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  if (messages.length === 0) return null;
  const hidden = all ? 0 : countHidden(messages);
  const open = () => {
    flushSync(() => setAll(true));
    // The button no longer exists; the focus moves to the list that it opened.
    list.current?.querySelector('li')?.focus();
  };
  return (
    <Block title={title}>
      {hidden === 0 ? null : (
        <div className="pb-3">
          <Button onClick={open}>
            Show {hidden === 1 ? '1 earlier message' : `${hidden} earlier messages`}
          </Button>
        </div>
      )}
      <ol ref={list} aria-label={title} className="divide-line -my-3 grid divide-y">
        {messages.slice(hidden).map(({ role, body }, index) => (
          <li
            key={hidden + index}
            tabIndex={all && index === 0 ? -1 : undefined}
            className="grid min-w-0 gap-1 py-3"
          >
            <h3 className="text-12 text-ink-3 font-normal [overflow-wrap:anywhere] [unicode-bidi:isolate]">
              <VisibleText text={role} />
            </h3>
            {body}
          </li>
        ))}
      </ol>
    </Block>
  );
}
