import type { PromptDetail, PromptPreview } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FieldError, InlineSelect } from '@/app/_ui/field';
import { Empty, Panel, Skeleton } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';

interface PreviewPanelProps {
  prompt: PromptDetail;
  /** Null until the first response. */
  preview: PromptPreview | null;
  error: unknown;
  onChoose: (subject: string) => void;
}

/** The text as a judge receives it, filled with a subject of this project. */
export function PreviewPanel({ prompt, preview, error, onChoose }: PreviewPanelProps) {
  return (
    <Panel
      title="Preview"
      aside={
        preview === null ? null : (
          <SubjectChoice kind={prompt.kind} preview={preview} onChoose={onChoose} />
        )
      }
    >
      {error ? (
        <div className="p-4">
          <FieldError text={problemOf(error).message} />
        </div>
      ) : null}
      {preview === null ? (
        <Skeleton className="m-4 h-24" />
      ) : preview.issues.length > 0 ? (
        <Empty title="No preview: the text must be fixed first." />
      ) : (
        <Filled preview={preview} />
      )}
    </Panel>
  );
}

function SubjectChoice({
  kind,
  preview: { subject, subjects },
  onChoose,
}: {
  kind: string;
  preview: PromptPreview;
  onChoose: (id: string) => void;
}) {
  if (subjects.length === 0)
    return <span className="text-ink-2">no {kind} of this project was verified yet</span>;
  const isOlder = subject !== null && subjects.every(({ id }) => id !== subject.id);
  return (
    <InlineSelect
      label="With"
      value={subject?.id ?? ''}
      options={[...subjects, ...(isOlder ? [subject] : [])].map(
        (each) =>
          [
            each.id,
            `${plainText(each.taskId ?? each.clientId ?? each.id)} · ${each.at.toISOString().slice(0, 16).replace('T', ' ')}${each.model === null ? '' : ` · ${plainText(each.model)}`}`,
          ] as const,
      )}
      onChange={onChoose}
      className="max-w-64"
    />
  );
}

/** The prompt's own words, with the inserted values marked as data. */
function Filled({ preview: { parts, subject } }: { preview: PromptPreview }) {
  return (
    <>
      <p className="text-12 text-ink-3 px-4 pt-2">
        What is boxed comes from the {subject === null ? 'subject that is judged' : 'subject'}. A
        judge gets it fenced as data, and after it how to reply.
      </p>
      <div
        role="region"
        tabIndex={0}
        aria-label="Filled text"
        className="text-12 max-h-[60vh] overflow-y-auto px-4 py-2 font-mono whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]"
      >
        {parts.map((part, index) =>
          part.name === null ? (
            <VisibleText key={index} text={part.text ?? ''} />
          ) : (
            <FilledValue key={index} name={part.name} part={part} hasSubject={subject !== null} />
          ),
        )}
      </div>
    </>
  );
}

type Part = PromptPreview['parts'][number];

/** A single line is shown inline; several lines as a block. */
function FilledValue({
  name,
  part: { text, cut },
  hasSubject,
}: {
  name: string;
  part: Part;
  hasSubject: boolean;
}) {
  const place =
    text?.includes('\n') === true ? 'block border-l-2 px-3 py-1' : 'rounded-4 border px-1.5 py-0.5';
  return (
    <span className={`bg-sunken border-line-strong ${place}`}>
      <span className="text-ink-3 pr-1 font-sans">{name}</span>
      {text === null ? (
        <span className="text-ink-3 font-sans">{missingText(name, hasSubject)}</span>
      ) : (
        <VisibleText text={text} />
      )}
      {cut > 0 ? (
        <span className="text-ink-3 font-sans"> … {cut.toLocaleString('en')} characters more</span>
      ) : null}
    </span>
  );
}

function missingText(name: string, hasSubject: boolean): string {
  if (name === 'format') return 'reply instructions, with a separate code for each question';
  return hasSubject ? 'empty' : 'filled in when a judge is called';
}
