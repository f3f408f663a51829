import Link from 'next/link';
import type { PipelineData } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { titleLine } from '@/server/domain';
import { Part } from '../../traces/part';
import { ValueText } from '../../traces/value-text';
import { LongText } from '../../verdicts/[id]/block';
import { Fold } from './fold';
import { Step } from './step';

type Turn = PipelineData['turns'][number];

/** One line of a value that may be JSON inside a JSON string, as providers send arguments. */
function preview(json: string): string {
  if (!json.startsWith('"')) return titleLine(json) ?? '';
  try {
    const value: unknown = JSON.parse(json);
    return titleLine(typeof value === 'string' ? value : json) ?? '';
  } catch {
    // Truncated: shown as is.
    return titleLine(json) ?? '';
  }
}

/**
 * An imported run was not verified at each step: the results of its tools take the place of agents'
 * outputs.
 */
export function RecordedOutputs({ project, turns }: { project: string; turns: readonly Turn[] }) {
  const tools = turns.reduce((sum, { texts }) => sum + (texts?.tools.length ?? 0), 0);
  return (
    <Step
      name="Outputs"
      aside={
        <span className="text-ink-3">
          not verified; {turns.length} {turns.length === 1 ? 'turn' : 'turns'}, {tools} tool{' '}
          {tools === 1 ? 'result' : 'results'}
        </span>
      }
    >
      <ol aria-label="Turns" className="bg-surface border-line rounded-8 grid min-w-0 border">
        {turns.map((turn, index) => (
          <li
            key={turn.id}
            className="border-line grid min-w-0 grid-cols-[64px_minmax(0,1fr)] gap-x-2 border-b px-3 py-2 last:border-0"
          >
            <Link
              href={`/p/${project}/turns/${encodeURIComponent(turn.id)}`}
              prefetch={false}
              className="text-ink-2 underline"
            >
              Turn {index + 1}
            </Link>
            {turn.texts === null ? (
              <p className="text-ink-2">Its stored content cannot be read.</p>
            ) : (
              <Exchange texts={turn.texts} />
            )}
          </li>
        ))}
      </ol>
    </Step>
  );
}

function Exchange({ texts: { tools, answer } }: { texts: NonNullable<Turn['texts']> }) {
  return (
    <div className="grid min-w-0 gap-1">
      {tools.map((tool, index) => (
        <Fold
          key={index}
          summary={
            <>
              <span className="text-12 text-ink-3">Tool</span> <VisibleText text={tool.name} />{' '}
              <code className="text-12 text-ink-2 font-mono">
                <VisibleText
                  text={preview(tool.arguments === '{}' ? tool.result : tool.arguments)}
                />
              </code>
            </>
          }
        >
          {tool.arguments === '' || tool.arguments === '{}' ? null : (
            <Part name="Arguments">
              <ValueText text={tool.arguments} />
            </Part>
          )}
          <Part name="Result">
            {tool.result === '' ? (
              <p className="text-ink-3">None</p>
            ) : (
              <ValueText text={tool.result} />
            )}
          </Part>
        </Fold>
      ))}
      <Fold
        summary={
          <>
            <span className="text-12 text-ink-3">Answer</span>{' '}
            <VisibleText text={titleLine(answer) ?? ''} />
          </>
        }
      >
        <LongText text={answer} />
      </Fold>
    </div>
  );
}

/** The last answer. */
export function RecordedSynthesis({ turns }: { turns: readonly Turn[] }) {
  const answer = turns.at(-1)?.texts?.answer ?? '';
  return (
    <Step
      name="Synthesis"
      aside={<span className="text-ink-3">not verified; the last answer</span>}
    >
      <div className="bg-surface border-line rounded-8 border p-3">
        {answer === '' ? <p className="text-ink-3">No answer</p> : <LongText text={answer} />}
      </div>
    </Step>
  );
}
