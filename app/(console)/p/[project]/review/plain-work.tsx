'use client';

import type { ReactNode } from 'react';
import type { ReviewContent } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText } from '../verdicts/[id]/block';

/* Only the judged work. It is shown for a blind item, and for any other while its verdict cannot
   be loaded. */

export function PlainAnswer({ content: { output } }: { content: ReviewContent }) {
  return (
    <Stack>
      {output.map(({ name, text }, at) => (
        <Block key={at} title={name === null ? 'Answer' : <VisibleText text={name} />}>
          {text === '' ? (
            <p className="text-ink-3">Empty</p>
          ) : (
            <LongText text={text} mono={name !== null} />
          )}
        </Block>
      ))}
      {output.length === 0 ? (
        <p className="text-ink-2">The judged content is no longer stored.</p>
      ) : null}
    </Stack>
  );
}

export function PlainContext({ content: { request, sources, cut } }: { content: ReviewContent }) {
  return (
    <Stack>
      <Block title="Request">
        {request === null ? (
          <p className="text-ink-3">The request is unknown.</p>
        ) : (
          <LongText text={request} />
        )}
      </Block>
      {sources.map(({ name, text }, at) => (
        <Block
          key={at}
          title={
            <>
              Source <VisibleText text={name} />
            </>
          }
        >
          <LongText text={text} mono />
        </Block>
      ))}
      {cut ? (
        <p className="text-12 text-ink-3">Only the beginning of long texts is shown.</p>
      ) : null}
    </Stack>
  );
}

export function Stack({ children }: { children: ReactNode }) {
  return <div className="grid content-start gap-4">{children}</div>;
}
