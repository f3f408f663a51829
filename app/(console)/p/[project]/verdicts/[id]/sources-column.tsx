'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { VerdictTurn } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { ErrorPanel } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import type { Figure } from '@/server/domain';
import { Block, Facts, FoldBlock, LongText } from './block';
import { JsonSource } from './json-source';
import { MessageThread } from './message-thread';
import { type PathMarks, placesOf } from './places';
import { TextSource } from './text-source';

const none: PathMarks = new Map();

const flagText: Record<string, string> = {
  cleaned:
    'Characters that cannot be shown or stored (NUL, lone surrogates) are replaced by symbols here.',
  invalid_utf8: 'The bytes were not valid UTF-8; invalid bytes are replaced here.',
  odd_times: 'Times from the client are implausible; they are shown as received.',
  conflict: 'The same id was received again with other content; both are stored.',
};

interface SourcesColumnProps {
  figures: readonly Figure[];
  turn: VerdictTurn;
  project: string;
}

/** The turn in the order in which the model saw it: messages, folded tool calls, context. */
export function SourcesColumn({ figures, turn, project }: SourcesColumnProps) {
  const places = useMemo(() => placesOf(figures), [figures]);
  return (
    <div className="grid content-start gap-4">
      {turn.flags.length > 0 || turn.hasOriginal ? (
        <Block title="Flags of this turn">
          <ul className="grid gap-2">
            {turn.flags.map((flag) => (
              <li key={flag}>
                <code className="text-12 font-mono [overflow-wrap:anywhere]">{flag}</code>{' '}
                {flagText[flag] ?? ''}
              </li>
            ))}
          </ul>
          {turn.hasOriginal ? <OriginalPanel project={project} turnId={turn.id} /> : null}
        </Block>
      ) : null}
      <MessageThread
        title="Input"
        messages={turn.input.map(({ role, content }) => ({
          role,
          body: <LongText text={content} />,
        }))}
      />
      {turn.tools.map((tool, index) => (
        <FoldBlock
          key={index}
          title={<VisibleText text={`Tool ${tool.name}`} />}
          aside={
            <span className="flex min-w-0 items-baseline gap-x-3">
              <FigureCount marks={places.get(tool.id) ?? none} />
              <Tag text={tool.id} />
            </span>
          }
        >
          <ToolPart name="Arguments">
            {tool.arguments === '' || tool.arguments === '{}' ? (
              <p className="text-ink-3">None</p>
            ) : (
              <JsonSource text={tool.arguments} marks={none} />
            )}
          </ToolPart>
          <ToolPart name="Result">
            <SourceText
              text={tool.result}
              format={tool.format}
              marks={places.get(tool.id) ?? none}
            />
          </ToolPart>
        </FoldBlock>
      ))}
      {turn.context.map((block, index) => (
        <Block key={index} title="Context" aside={<Tag text={block.id} />}>
          <SourceText
            text={block.content}
            format={block.format}
            marks={places.get(block.id) ?? none}
          />
        </Block>
      ))}
      {turn.tools.length + turn.context.length === 0 ? (
        <Block title="No sources">
          <p className="text-ink-2">
            This turn has no tool results and no context, so no figure in it can be traced.
          </p>
        </Block>
      ) : null}
    </div>
  );
}

/** The data that the caller sent with the turn besides its conversation. */
export function TurnNotes({ turn }: { turn: VerdictTurn }) {
  return (
    <>
      {turn.relayedFrom === null ? null : (
        <Block title="Relayed from">
          <JsonSource text={turn.relayedFrom} marks={none} />
        </Block>
      )}
      {turn.tags.length > 0 || turn.metadata !== '{}' ? (
        <Block title="Tags and metadata">
          {turn.tags.length > 0 ? (
            <Facts list={[['Tags', <VisibleText key="tags" text={turn.tags.join(', ')} />]]} />
          ) : null}
          {turn.metadata === '{}' ? null : <JsonSource text={turn.metadata} marks={none} />}
        </Block>
      ) : null}
    </>
  );
}

/** How many figures of the answer lead to a place in this source. */
function FigureCount({ marks }: { marks: PathMarks }) {
  const figures = new Set([...marks.values()].flat().flatMap((mark) => mark.figures));
  if (figures.size === 0) return null;
  return (
    <span className="text-12 text-ink-2 shrink-0">
      {figures.size === 1 ? '1 figure' : `${figures.size} figures`}
    </span>
  );
}

/**
 * If figures were found by JSON paths, the scanner parsed the text as JSON, so it is shown as JSON.
 */
function SourceText({
  text,
  format,
  marks,
}: {
  text: string;
  format: 'json' | 'text';
  marks: PathMarks;
}) {
  const readAsJson =
    format === 'json' ||
    [...marks.values()]
      .flat()
      .some((mark) => mark.state !== 'cited' && !mark.path.startsWith('text['));
  return readAsJson ? (
    <JsonSource text={text} marks={marks} />
  ) : (
    <TextSource text={text} marks={marks} />
  );
}

function Tag({ text }: { text: string }) {
  return (
    <code
      className="text-12 text-ink-3 max-w-[60%] truncate font-mono [unicode-bidi:isolate]"
      title={plainText(text)}
    >
      <VisibleText text={text} />
    </code>
  );
}

function ToolPart({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-1 pb-2 last:pb-0">
      <h3 className="text-12 text-ink-3">{name}</h3>
      {children}
    </div>
  );
}

/**
 * The original bytes, decoded as Latin-1 so that each byte is visible, none is lost and control
 * characters are marked.
 */
function OriginalPanel({ project, turnId }: { project: string; turnId: string }) {
  const [open, setOpen] = useState(false);
  const trpc = useTRPC();
  const { data, error, refetch, isFetching } = useQuery(
    trpc.turns.original.queryOptions({ project, id: turnId }, { enabled: open }),
  );
  return (
    <div className="grid gap-2 pt-2">
      <div>
        <Button busy={isFetching} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide the original' : 'Show the original'}
        </Button>
      </div>
      {open && error ? (
        <ErrorPanel
          what="The original could not be read"
          works="The cleaned text is complete."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {open && data ? <LongText mono text={atob(data.base64)} /> : null}
    </div>
  );
}
