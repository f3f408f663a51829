'use client';

import { useRef, useState } from 'react';
import type { PromptPreview } from '@/app/_trpc/outputs';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { bandRanges, type ExampleBand, exampleBands, exampleLimits } from '@/server/domain';
import { ExampleDialog } from './example-dialog';
import {
  type ExampleDraft,
  newExample,
  readDraft,
  readExamples,
  withExample,
} from './front-matter-examples';

interface ExamplesPanelProps {
  /** The draft: its front matter contains the examples. */
  body: string;
  warnings: PromptPreview['warnings'];
  mayWrite: boolean;
  onChange: (body: string) => void;
}

interface Placed {
  readonly index: number;
  readonly draft: ExampleDraft;
}

const bandNames: Record<ExampleBand, string> = { good: 'Good', mediocre: 'Mediocre', bad: 'Bad' };

/**
 * The examples that the judge receives with the prompt, by band; changes are part of the draft, and
 * saved with it.
 */
export function ExamplesPanel({ body, warnings, mayWrite, onChange }: ExamplesPanelProps) {
  const [edited, setEdited] = useState<Placed | null>(null);
  const intro = useRef<HTMLParagraphElement>(null);
  const examples = readExamples(body);
  const placed = examples?.map((draft, index): Placed => ({ index, draft })) ?? [];
  const mayAdd = mayWrite && examples !== null && examples.length < exampleLimits.count;
  return (
    <Panel
      title="Examples"
      aside={
        mayAdd ? (
          <Button onClick={() => setEdited({ index: placed.length, draft: newExample })}>
            Add example
          </Button>
        ) : null
      }
    >
      {examples === null ? (
        <Empty title="The front matter must be fixed before its examples can be shown." />
      ) : (
        <div className="grid gap-4 p-4">
          <p ref={intro} tabIndex={-1} className="text-ink-2">
            The judge sees these examples with their scores, to score consistently. They are saved
            with the text.
          </p>
          <Warnings warnings={warnings} />
          {exampleBands.map((band) => (
            <Band
              key={band}
              band={band}
              placed={placed.filter(({ draft }) => draft.band === band)}
              mayWrite={mayWrite}
              onEdit={setEdited}
              onRemove={({ index }) => {
                onChange(withExample(body, index, null));
                announce('Example removed from the draft');
                // The pressed button disappeared with the example.
                intro.current?.focus();
              }}
            />
          ))}
        </div>
      )}
      {edited === null ? null : (
        <ExampleDialog
          title={edited.index < placed.length ? `Edit example ${edited.index + 1}` : 'Add example'}
          initial={edited.draft}
          onSave={(example) => {
            onChange(withExample(body, edited.index, example));
            announce('Example saved to the draft');
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}

function Warnings({ warnings }: Pick<ExamplesPanelProps, 'warnings'>) {
  return (
    <div role="status" aria-label="Check of the examples" className="empty:-mb-4">
      {warnings.length === 0 ? null : (
        <ul className="bg-loud border-loud-line rounded-4 grid gap-1 border-l-2 px-3 py-2">
          {warnings.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface BandProps {
  band: ExampleBand;
  placed: readonly Placed[];
  mayWrite: boolean;
  onEdit: (example: Placed) => void;
  onRemove: (example: Placed) => void;
}

function Band({ band, placed, mayWrite, onEdit, onRemove }: BandProps) {
  return (
    <section aria-label={`${bandNames[band]} examples`} className="grid gap-2">
      <h3 className="flex items-baseline gap-2">
        {bandNames[band]} <span className="text-12 text-ink-3 font-normal">{bandRanges[band]}</span>
      </h3>
      {placed.length === 0 ? (
        <p className="text-ink-2">None.</p>
      ) : (
        <ul className="grid gap-2">
          {placed.map((each) => (
            <Example
              key={each.index}
              placed={each}
              mayWrite={mayWrite}
              onEdit={() => onEdit(each)}
              onRemove={() => onRemove(each)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ExampleProps {
  placed: Placed;
  mayWrite: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

function Example({ placed: { index, draft }, mayWrite, onEdit, onRemove }: ExampleProps) {
  const read = readDraft(draft);
  const name = `Example ${index + 1}`;
  return (
    <li
      aria-label={name}
      className="border-line rounded-4 grid gap-1 border px-3 py-2 [overflow-wrap:anywhere]"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong className="tabular-nums">{draft.score === '' ? 'no score' : draft.score}</strong>
        <span className="text-12 text-ink-2">{draft.complexity}</span>
        <span className="min-w-0 flex-1 basis-60">
          <VisibleText text={draft.query} />
        </span>
        {mayWrite ? (
          <span className="flex gap-2">
            <Button variant="quiet" aria-label={`Edit ${name.toLowerCase()}`} onClick={onEdit}>
              Edit
            </Button>
            <Button variant="quiet" aria-label={`Remove ${name.toLowerCase()}`} onClick={onRemove}>
              Remove
            </Button>
          </span>
        ) : null}
      </div>
      <details>
        <summary className="text-ink-2 w-fit cursor-pointer">Why, and the decomposition</summary>
        <p className="pt-1">
          <VisibleText text={draft.reasoning} />
        </p>
        <pre className="text-12 bg-sunken rounded-4 mt-1 px-2 py-1 font-mono whitespace-pre-wrap">
          <VisibleText text={draft.decomposition} />
        </pre>
      </details>
      {'errors' in read ? (
        <p className="text-12">
          Must be fixed:{' '}
          {Object.entries(read.errors)
            .map(([field, message]) => `${field} ${message}`)
            .join('; ')}
        </p>
      ) : null}
    </li>
  );
}
