'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from './block';

interface ThreadMessage {
  readonly role: string;
  readonly body: ReactNode;
}

/** The last messages are shown at once: the question is among them. */
const shownAtOnce = 6;

/** The messages of a conversation in order; of a long one, the earlier ones open on request. */
export function MessageThread({
  title,
  messages,
}: {
  title: string;
  messages: readonly ThreadMessage[];
}) {
  const [all, setAll] = useState(false);
  if (messages.length === 0) return null;
  const hidden = all ? 0 : Math.max(0, messages.length - shownAtOnce);
  return (
    <Block title={title}>
      {hidden === 0 ? null : (
        <div className="pb-3">
          <Button onClick={() => setAll(true)}>
            Show {hidden === 1 ? '1 earlier message' : `${hidden} earlier messages`}
          </Button>
        </div>
      )}
      <ol aria-label={title} className="divide-line -my-3 grid divide-y">
        {messages.slice(hidden).map(({ role, body }, index) => (
          <li key={hidden + index} className="grid min-w-0 gap-1 py-3">
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
