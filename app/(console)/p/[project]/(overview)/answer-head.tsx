import Link from 'next/link';
import type { ReactNode } from 'react';
import { VisibleText } from '@/app/_ui/visible-text';
import type { AnswerPart } from './answer';

interface AnswerHeadProps {
  answer: readonly AnswerPart[];
  /** The first thing to do; null if there is none. */
  next: AnswerPart | null;
  children: ReactNode;
}

/** The page's heading is its answer; each part links to the rows behind it. */
export function AnswerHead({ answer, next, children }: AnswerHeadProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 flex-1 basis-96 gap-1">
        <h1 className="max-w-[88ch] text-pretty [overflow-wrap:anywhere]">
          {answer.map(({ text, href }, index) =>
            href === null ? (
              text
            ) : (
              <Link
                key={index}
                href={href}
                prefetch={false}
                className="decoration-line-strong hover:decoration-ink underline decoration-1 underline-offset-4"
              >
                <VisibleText text={text} />
              </Link>
            ),
          )}
        </h1>
        {next === null ? null : (
          <p className="text-ink-2">
            Next:{' '}
            <Link href={next.href ?? ''} prefetch={false} className="text-ink underline">
              <VisibleText text={next.text} />
            </Link>
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
