'use client';

import type { Figure } from '@/server/domain';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { statusOf } from './figure-status';
import { evidenceId, figureId, useLinking } from './linking';

/**
 * A figure in the answer: mark, text and, if it is not sourced, the word. Links to its source or to
 * the reason.
 */
export function FigureMark({ figure, index }: { figure: Figure; index: number }) {
  const { active, toSource } = useLinking();
  const status = statusOf(figure);
  const ground = figure.sourced
    ? 'bg-pass-wash border-pass border-b'
    : 'bg-fail-wash border-fail border-b-2 border-dotted';
  return (
    // A link and not a button, since a button does not flow with the text around it.
    <a
      href={`#${evidenceId(index)}`}
      id={figureId(index)}
      data-figure={index}
      onClick={(event) => {
        event.preventDefault();
        toSource(index);
      }}
      aria-label={`Figure ${index + 1}: ${plainText(figure.text)}, ${status}, ${figure.sourced ? 'go to its source' : 'go to the reason'}`}
      className={`${ground} rounded-t-4 mx-0.5 px-1 pt-px [box-decoration-break:clone] ${figure.text.length <= 24 ? 'whitespace-nowrap' : ''} ${active === index ? 'ring-accent ring-1' : ''}`}
    >
      <span className="mr-1 inline-block align-[-1px]">
        <VerdictIcon state={figure.sourced ? 'passed' : 'failed'} size={11} />
      </span>
      <VisibleText text={figure.text} />
      {status === 'sourced' ? null : <span className="text-12 text-ink-2 ml-1">{status}</span>}
    </a>
  );
}
