'use client';

import { useMemo, useState } from 'react';
import type { Figure } from '@/server/domain';
import { Button } from '@/app/_ui/button';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { FigurePlaces } from './figure-places';
import { reasonOf, statusOf } from './figure-status';
import { evidenceId, useLinking } from './linking';

/** Rows shown before the list is expanded; every figure without a source is shown. */
const shownAtFirst = 5;

/** The value read from the text if it differs from the text itself: `77.8%` reads as written. */
function readingOf({ text, value, unit }: Figure): string {
  const parts = [value === text ? null : value, unit].filter((part) => part !== null);
  return parts.join('') === text.replaceAll(/\s/g, '')
    ? ''
    : parts.map((part) => ` ${part}`).join('');
}

export function FigureList({ figures }: { figures: readonly Figure[] }) {
  const { active, toFigure } = useLinking();
  const unacceptedFirst = useMemo(
    () =>
      figures
        .map((figure, index) => ({ figure, index }))
        .toSorted((a, b) => Number(a.figure.sourced) - Number(b.figure.sourced)),
    [figures],
  );
  const failed = figures.filter((figure) => !figure.sourced).length;
  const [all, setAll] = useState(false);
  if (figures.length === 0)
    return <p className="text-ink-2">The answer has no figures, so there was nothing to trace.</p>;
  const minShown = Math.max(failed, shownAtFirst);
  const isHidden = ({ index }: { index: number }, at: number) =>
    !all && at >= minShown && index !== active;
  const hidden = unacceptedFirst.filter(isHidden).length;
  return (
    <>
      <ul className="grid gap-px">
        {unacceptedFirst.map(({ figure, index }, at) => {
          if (isHidden({ index }, at)) return null;
          const reason = reasonOf(figure);
          return (
            <li
              key={index}
              id={evidenceId(index)}
              tabIndex={-1}
              className={`rounded-4 -mx-1 grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 px-1 py-1.5 ${active === index ? 'bg-accent-wash' : ''}`}
            >
              <span className="pt-[3px]">
                <VerdictIcon state={figure.sourced ? 'passed' : 'failed'} />
              </span>
              <div className="grid min-w-0 gap-0.5">
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <button
                    type="button"
                    onClick={() => toFigure([index])}
                    className="font-semibold [overflow-wrap:anywhere] hover:underline"
                  >
                    <VisibleText text={figure.text} />
                    <span className="sr-only">, figure {index + 1}, go to it in the answer</span>
                  </button>
                  <span>{statusOf(figure)}</span>
                  <span className="text-12 text-ink-3 [overflow-wrap:anywhere]">
                    {figure.kind}
                    <VisibleText text={readingOf(figure)} />
                  </span>
                </p>
                <FigurePlaces figure={figure} index={index} />
                {reason === null ? null : (
                  <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
                    <VisibleText text={reason} />
                  </p>
                )}
                {figure.sourced && figure.citation_ok === false ? (
                  <p className="text-12 text-ink-2">
                    Found, though the envelope cites another place.
                  </p>
                ) : null}
              </div>
            </li>
          );
        })}
      </ul>
      {hidden === 0 ? null : (
        <div className="pt-2">
          <Button onClick={() => setAll(true)}>
            Show {hidden.toLocaleString('en')} more, all sourced
          </Button>
        </div>
      )}
    </>
  );
}
