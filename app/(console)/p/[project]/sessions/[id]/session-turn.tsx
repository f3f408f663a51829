'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { SessionTurn as Turn } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { figuresText } from '../../traces/mark-styles';
import { TurnFlags } from '../../traces/[id]/turn-flags';
import { Why } from '../../turns/why';
import { LongText } from '../../verdicts/[id]/block';
import { ToolFold } from './tool-fold';

interface SessionTurnProps {
  project: string;
  turn: Turn;
  number: number;
}

/** One exchange: the question, the tool results, the answer, and the verdicts on it. */
export function SessionTurn({ project, turn, number }: SessionTurnProps) {
  const href = `/p/${project}/turns/${encodeURIComponent(turn.id)}`;
  return (
    <li
      data-turn={turn.id}
      tabIndex={-1}
      aria-label={`Turn ${number}`}
      className="bg-surface border-line rounded-8 min-w-0 scroll-mt-4 border"
    >
      <header className="border-line flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1">
        <h2 className="text-13">
          <Link href={href} className="hover:underline">
            Turn {number}
          </Link>
        </h2>
        {turn.marks.map((mark) => (
          <Link
            key={mark.verdictId}
            href={`/p/${project}/verdicts/${encodeURIComponent(mark.verdictId)}`}
            title={mark.verifier}
            className="flex items-center gap-1.5 hover:underline"
          >
            <VerdictBadge {...mark} outcome={mark.state} />
            {figuresText(mark) === null ? null : (
              <span className="text-ink-3">{figuresText(mark)}</span>
            )}
          </Link>
        ))}
        <span className="text-12 text-ink-3 ml-auto flex flex-wrap items-baseline gap-x-3">
          {turn.traceId !== null && turn.spanId !== null ? (
            <Link
              href={`/p/${project}/traces/${turn.traceId}?span=${turn.spanId}`}
              className="underline"
            >
              Trace
            </Link>
          ) : null}
          {turn.model === null ? null : (
            <code className="font-mono [overflow-wrap:anywhere]">
              <VisibleText text={turn.model} />
            </code>
          )}
          <Moment at={turn.at} />
        </span>
      </header>
      <div className="grid min-w-0 gap-3 p-4">
        <TurnFlags superseded={turn.superseded} revision={turn.revision} />
        {turn.texts === null ? (
          <p className="text-ink-2">The stored content of this turn cannot be read.</p>
        ) : (
          <Exchange said={turn.texts} />
        )}
        {turn.marks.length === 0 ? <WhyNot project={project} turnId={turn.id} /> : null}
      </div>
    </li>
  );
}

function Exchange({ said }: { said: NonNullable<Turn['texts']> }) {
  return (
    <>
      {said.earlier > 0 ? (
        <p className="text-12 text-ink-3">
          After {said.earlier} earlier {said.earlier === 1 ? 'message' : 'messages'}
        </p>
      ) : null}
      {said.newMessages.map((message, index) => (
        <Speech
          key={index}
          who={message.role}
          text={message.content}
          isFolded={message.role === 'system'}
        />
      ))}
      {said.context.map((block, index) => (
        <ToolFold
          key={`context ${index}`}
          name={block.id}
          kind="Context"
          parts={[['Content', block.content]]}
        />
      ))}
      {said.tools.map((tool, index) => (
        <ToolFold
          key={`tool ${index}`}
          name={tool.name}
          kind="Tool"
          preview={tool.arguments}
          parts={[
            ['Arguments', tool.arguments],
            ['Result', tool.result],
          ]}
        />
      ))}
      <Speech who="answer" text={said.answer} />
    </>
  );
}

const speakers: Record<string, string> = {
  user: 'User',
  system: 'System',
  assistant: 'Model',
  answer: 'Answer',
};

/** A system prompt is long and the same for every session: it opens on request. */
function Speech({
  who,
  text,
  isFolded = false,
}: {
  who: string;
  text: string;
  isFolded?: boolean;
}) {
  const name = Object.hasOwn(speakers, who) ? (speakers[who] ?? who) : who;
  if (isFolded && text.length > 300)
    return (
      <ToolFold
        name={`${text.length.toLocaleString('en')} characters`}
        kind={name}
        parts={[['Text', text]]}
      />
    );
  return (
    <div className="grid min-w-0 gap-1 md:grid-cols-[88px_minmax(0,1fr)]">
      <h3 className="text-12 text-ink-3 pt-0.5 [overflow-wrap:anywhere]">
        <VisibleText text={name} />
      </h3>
      {text === '' ? <p className="text-ink-3">Empty</p> : <LongText text={text} />}
    </div>
  );
}

function WhyNot({ project, turnId }: { project: string; turnId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-ink-2">Why is there no verdict?</summary>
      <div className="pt-2">
        {open ? <Why project={project} turnId={turnId} verified={false} /> : null}
      </div>
    </details>
  );
}
