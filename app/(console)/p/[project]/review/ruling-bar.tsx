'use client';

import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useId } from 'react';
import { FieldError } from '@/app/_ui/field';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import type { ReviewAnswer } from '@/server/labels/input';
import { reviewLimits } from '@/server/labels/input';
import { answerWords } from './review-words';

/** The text written about an item before the ruling. */
export interface RulingDraft {
  readonly reason: string;
  readonly grade: number | null;
  /** Chosen, but waiting for a reason. */
  readonly asking: ReviewAnswer | null;
}

interface RulingBarProps {
  draft: RulingDraft;
  /** `g` was pressed: the next digit is a grade. */
  isGrading: boolean;
  /** There is an item, and it has been loaded. */
  isReady: boolean;
  /** Similar items that the ruling also applies to. */
  similar: number;
  mayUndo: boolean;
  reasonRef: RefObject<HTMLTextAreaElement | null>;
  /** `at`: milliseconds of the page's clock. */
  onAnswer: (answer: ReviewAnswer, at: number) => void;
  onGrade: (grade: number | null) => void;
  onReason: (reason: string) => void;
  /** Enter in the reason. */
  onSend: (at: number) => void;
  /** Escape in the reason. */
  onLeave: () => void;
  onUndo: (at: number) => void;
}

const answers = ['pass', 'fail', 'unsure'] as const satisfies readonly ReviewAnswer[];
const grades = [1, 2, 3, 4, 5] as const;
const buttonClass =
  'rounded-4 border inline-flex h-11 shrink-0 items-center justify-center gap-2 px-2 md:px-3 whitespace-nowrap md:h-8 aria-disabled:opacity-60';

/** Holding Enter down would press the button repeatedly, once for each following item. */
function preventRepeat(event: ReactKeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}

/** The bar for rulings: every button shows its key. */
export function RulingBar(props: RulingBarProps) {
  const { draft, isGrading, isReady, mayUndo, similar } = props;
  const id = useId();
  const reasonPrompt =
    draft.asking === null
      ? null
      : `Explain why it is “${answerWords[draft.asking].name}”: the verifier decided differently.`;
  return (
    <form
      aria-label="Ruling"
      data-sticky-bar
      onSubmit={(event) => {
        event.preventDefault();
        props.onSend(event.timeStamp);
      }}
      className="bg-surface border-line sticky bottom-0 z-5 -mx-4 grid gap-2 border-t px-4 pt-2 pb-[max(8px,env(safe-area-inset-bottom))] md:-mx-6 md:px-6 md:py-3"
    >
      {similar === 0 ? null : (
        <p role="status" className="text-12 font-semibold max-md:order-first">
          Applies to {similar + 1} items: this one and {similar} similar.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:order-last">
        <div
          role="group"
          aria-label="Your ruling"
          className="grid w-full grid-cols-3 gap-2 max-md:order-last md:flex md:w-auto"
        >
          {answers.map((answer) => {
            const { name, state, key } = answerWords[answer];
            return (
              <button
                key={answer}
                type="button"
                aria-keyshortcuts={key}
                aria-pressed={draft.asking === answer}
                aria-disabled={!isReady || undefined}
                onKeyDown={preventRepeat}
                onClick={(event) => isReady && props.onAnswer(answer, event.timeStamp)}
                className={`${buttonClass} hover:bg-hover ${draft.asking === answer ? 'border-accent bg-accent-wash' : 'border-line-strong/50'}`}
              >
                <VerdictIcon state={state} />
                {name}
                <Key name={key} />
              </button>
            );
          })}
        </div>
        <div
          role="group"
          aria-label="Grade"
          className={`rounded-4 flex items-center gap-0.5 md:gap-1 ${isGrading ? 'ring-accent ring-2' : ''}`}
        >
          <span className="text-ink-2 flex items-center gap-1.5 pr-1 max-sm:text-12">
            Grade <Key name="g" />
          </span>
          {grades.map((grade) => (
            <button
              key={grade}
              type="button"
              aria-label={`Grade ${grade} of 5`}
              aria-pressed={draft.grade === grade}
              aria-disabled={!isReady || undefined}
              onClick={() => isReady && props.onGrade(draft.grade === grade ? null : grade)}
              className={`rounded-4 size-11 border md:size-8 aria-disabled:opacity-60 ${draft.grade === grade ? 'border-accent bg-accent-wash font-semibold' : 'border-line hover:bg-hover'}`}
            >
              {grade}
            </button>
          ))}
        </div>
        <button
          type="button"
          aria-keyshortcuts="u"
          aria-disabled={!mayUndo || undefined}
          onKeyDown={preventRepeat}
          onClick={(event) => mayUndo && props.onUndo(event.timeStamp)}
          className={`${buttonClass} text-ink-2 hover:bg-hover ml-auto border-transparent`}
        >
          Undo <Key name="u" />
        </button>
      </div>
      <div className="flex items-center gap-x-3">
        <label htmlFor={id} className="text-ink-2 flex shrink-0 items-center gap-1.5">
          Reason <Key name="r" />
        </label>
        <textarea
          ref={props.reasonRef}
          id={id}
          rows={1}
          value={draft.reason}
          disabled={!isReady}
          maxLength={reviewLimits.reasonChars}
          aria-required={draft.asking !== null}
          aria-invalid={draft.asking !== null && draft.reason.trim() === '' ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => props.onReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.shiftKey) return;
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            if (event.nativeEvent.repeat) return;
            if (event.key === 'Enter') props.onSend(event.timeStamp);
            else props.onLeave();
          }}
          className="bg-surface text-ink rounded-4 text-13 border-line-strong aria-invalid:border-fail field-sizing-content max-h-32 min-h-11 w-full py-3 md:min-h-8 md:py-1.5 min-w-0 resize-none border px-2"
        />
        <span className="text-12 text-ink-3 hidden shrink-0 md:inline">
          <Key name="Enter" /> {draft.asking === null ? 'keeps it' : 'sends'} · <Key name="Esc" />{' '}
          leaves
        </span>
      </div>
      <FieldError id={`${id}-error`} text={reasonPrompt} />
    </form>
  );
}

function Key({ name }: { name: string }) {
  return (
    <kbd className="bg-sunken border-line rounded-4 text-12 text-ink-2 hidden border px-1 font-mono md:inline">
      {name}
    </kbd>
  );
}
