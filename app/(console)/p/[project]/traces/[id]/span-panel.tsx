'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { SpanContent } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Moment } from '@/app/_ui/moment';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, Facts, LongText } from '../../verdicts/[id]/block';
import { costText, durationText } from '../amounts';
import { Part } from '../part';
import { ErrorIcon, RoleIcon, roleWord } from '../span-styles';
import { ValueText } from '../value-text';
import { AttributeFold } from './attribute-fold';
import { MessageList, Tag } from './message-list';

interface SpanPanelProps {
  project: string;
  traceId: string;
  spanId: string;
}

/**
 * The content of the selected span. While the next one is loading, the previous one stays visible.
 */
export function SpanPanel({ project, traceId, spanId }: SpanPanelProps) {
  const trpc = useTRPC();
  const options = trpc.traces.span.queryOptions(
    { project, id: traceId, span: spanId },
    { placeholderData: keepPreviousData },
  );
  const { data, error, refetch, isPlaceholderData } = useQuery(options);
  if (error) {
    return (
      <ErrorPanel
        what="The span could not be read"
        works="The tree and the verdicts next to it are complete."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined) {
    return (
      <div className="late grid gap-4" role="status" aria-label="Loading the span">
        <Skeleton className="h-32" />
        <Skeleton className="h-64" />
      </div>
    );
  }
  return (
    <div
      className={`grid content-start gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`}
      aria-busy={isPlaceholderData}
    >
      <SpanFacts span={data} />
      <MessageList key={`input ${data.id}`} name="Input" messages={data.input} />
      {data.inputValue === null ? null : (
        <Block title="Input">
          <ValueText text={data.inputValue} />
        </Block>
      )}
      {data.tool === null ? null : <ToolBlock tool={data.tool} />}
      {data.documents.map((document, index) => (
        <Block
          key={index}
          title={`Document ${index + 1}`}
          aside={document.id === null ? null : <Tag text={document.id} />}
        >
          <ValueText text={document.content} />
        </Block>
      ))}
      <MessageList key={`output ${data.id}`} name="Output" messages={data.output} />
      {data.outputValue === null ? null : (
        <Block title="Output">
          <ValueText text={data.outputValue} />
        </Block>
      )}
      <AttributeFold span={data} />
    </div>
  );
}

function SpanFacts({ span }: { span: SpanContent }) {
  const tokens = [span.inputTokens, span.outputTokens];
  const facts: (readonly [string, React.ReactNode])[] = [
    ...(span.model === null ? [] : [['Model', code(span.model)] as const]),
    ...(span.startedAt === null
      ? []
      : [['Started', <Moment key="at" at={new Date(span.startedAt)} />] as const]),
    ['Duration', span.durationMs === null ? 'No end received' : durationText(span.durationMs)],
    ...(tokens.some((each) => each !== null)
      ? [
          [
            'Tokens',
            `${tokens[0]?.toLocaleString('en') ?? '?'} in, ${tokens[1]?.toLocaleString('en') ?? '?'} out`,
          ] as const,
        ]
      : []),
    ...(span.costUsd === null ? [] : [['Cost', costText(span.costUsd)] as const]),
    ...(span.finishReasons.length > 0
      ? [['Ended with', code(span.finishReasons.join(', '))] as const]
      : []),
    ...(span.agent === null ? [] : [['Agent', code(span.agent)] as const]),
    ...(span.prompt === null ? [] : [['Prompt', code(span.prompt)] as const]),
    ...(span.conventions.length > 0
      ? [['Read as', code(span.conventions.join(', '))] as const]
      : []),
    ...(span.flags.length > 0 ? [['Flags', code(span.flags.join(', '))] as const] : []),
    ...(span.versions > 1
      ? [
          [
            'Versions',
            `${span.versions} different contents arrived with this id; they are merged here`,
          ] as const,
        ]
      : []),
    ['Span', code(span.id)],
  ];
  return (
    <Block
      title={
        <span className="flex min-w-0 items-center gap-2">
          <RoleIcon role={span.role} />
          <span className="min-w-0 [overflow-wrap:anywhere] [unicode-bidi:isolate]">
            <VisibleText text={span.name === '' ? span.id : span.name} />
          </span>
        </span>
      }
      aside={<span className="text-12 text-ink-3">{roleWord(span.role)}</span>}
    >
      {span.status.error ? (
        <div className="border-loud-line bg-loud rounded-4 mb-3 flex gap-2 border p-2">
          <span className="pt-[3px]">
            <ErrorIcon />
          </span>
          <LongText
            text={
              span.status.message === ''
                ? 'The span ended with an error and has no message.'
                : span.status.message
            }
          />
        </div>
      ) : null}
      <Facts list={facts} />
    </Block>
  );
}

function code(text: string) {
  return (
    <code className="text-12 font-mono [unicode-bidi:isolate]">
      <VisibleText text={text} />
    </code>
  );
}

function ToolBlock({ tool }: { tool: NonNullable<SpanContent['tool']> }) {
  return (
    <Block
      title={<VisibleText text={`Tool ${tool.name ?? 'without a name'}`} />}
      aside={tool.callId === null ? null : <Tag text={tool.callId} />}
    >
      <Part name="Arguments">
        {tool.arguments === null || tool.arguments === '{}' ? (
          <p className="text-ink-3">None</p>
        ) : (
          <ValueText text={tool.arguments} />
        )}
      </Part>
      <Part name="Result">
        {tool.result === null ? (
          <p className="text-ink-3">Not in this span</p>
        ) : (
          <ValueText text={tool.result} />
        )}
      </Part>
    </Block>
  );
}
