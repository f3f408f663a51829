'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { VisibleText } from '@/app/_ui/visible-text';
import { textClass } from './block';
import { PlaceLink } from './place-mark';
import { type PathMarks, splitAtPlaces } from './places';

/** A longer text between two places is cut in its middle. */
const LONG = 3000;
const EDGE = 800;

export function TextSource({ text, marks }: { text: string; marks: PathMarks }) {
  const [all, setAll] = useState(false);
  const segments = splitAtPlaces(text, [...marks.values()].flat());
  const isLong = segments.some((segment) => segment.mark === null && segment.text.length > LONG);
  return (
    <div className="grid gap-2">
      <div className={textClass}>
        {segments.map((segment) =>
          segment.mark ? (
            <PlaceLink key={segment.from} mark={segment.mark}>
              <VisibleText text={segment.text} />
            </PlaceLink>
          ) : (
            <VisibleText key={segment.from} text={all ? segment.text : cutMiddle(segment.text)} />
          ),
        )}
      </div>
      {isLong && !all ? (
        <div>
          <Button onClick={() => setAll(true)}>
            Show all {text.length.toLocaleString('en')} characters
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function cutMiddle(text: string): string {
  if (text.length <= LONG) return text;
  return `${text.slice(0, EDGE).toWellFormed()}\n… ${(text.length - 2 * EDGE).toLocaleString('en')} characters …\n${text.slice(-EDGE).toWellFormed()}`;
}
