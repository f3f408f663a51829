import { CopyId } from './copy-id';
import { VisibleText } from './visible-text';

interface EntityTitleProps {
  /** The first line of its text; null if it has none. */
  text: string | null;
  /** The noun: `Turn`. */
  noun: string;
  id: string;
}

/** The heading of a page: the text of the shown item, then its type and its id. */
export function EntityTitle({ text, noun, id }: EntityTitleProps) {
  return (
    <h1 className="grid min-w-0 gap-1">
      {text === null ? null : (
        <span className="line-clamp-2 [overflow-wrap:anywhere] [unicode-bidi:isolate]">
          <VisibleText text={text} />
        </span>
      )}{' '}
      <span
        className={`flex min-w-0 flex-wrap items-baseline gap-x-3 ${text === null ? '' : 'text-14 text-ink-2 font-normal'}`}
      >
        {noun} <CopyId id={id} noun={`${noun.toLowerCase()} id`} />
      </span>
    </h1>
  );
}
