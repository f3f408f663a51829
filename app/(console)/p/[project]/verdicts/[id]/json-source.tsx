'use client';

import { Fragment, useMemo, useState } from 'react';
import { VisibleText } from '@/app/_ui/visible-text';
import { isLong, LongText } from './block';
import { type JsonLine, type JsonPiece, jsonLines, unwrapJson } from './json-lines';
import { PlaceLink } from './place-mark';
import { findValue, type PathMarks, type PlaceMark, splitToken } from './places';

const classOfKind: Record<JsonPiece['kind'], string> = {
  key: 'text-ink-2',
  string: '',
  number: '',
  word: 'text-ink-2',
  mark: 'text-ink-3',
};
/** Longer sources are collapsed, except for the first lines and those around a place. */
const FOLD = 120;
const HEAD = 40;
const AROUND = 4;

/** Runs of lines: shown, or collapsed. */
function foldLines(
  lines: readonly JsonLine[],
  marks: PathMarks,
): { shown: boolean; from: number; to: number }[] {
  const isShown = new Array<boolean>(lines.length).fill(lines.length <= FOLD);
  isShown.fill(true, 0, HEAD);
  lines.forEach((line, index) => {
    if (line.pieces.some((piece) => piece.path !== null && marks.has(piece.path))) {
      isShown.fill(true, Math.max(0, index - AROUND), index + AROUND + 1);
    }
  });
  const runs: { shown: boolean; from: number; to: number }[] = [];
  isShown.forEach((shown, index) => {
    const last = runs.at(-1);
    if (last?.shown === shown) last.to = index + 1;
    else runs.push({ shown, from: index, to: index + 1 });
  });
  // Collapsing a line or two would cost more space than it saves.
  return runs.map((run) => (run.to - run.from < 3 ? { ...run, shown: true } : run));
}

export function JsonSource({ text, marks }: { text: string; marks: PathMarks }) {
  const lines = useMemo(() => jsonLines(unwrapJson(text)), [text]);
  const runs = useMemo(() => foldLines(lines, marks), [lines, marks]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  return (
    <div className="text-12 font-mono">
      {runs.map((run) =>
        run.shown || opened.has(run.from) ? (
          <Fragment key={run.from}>
            {lines.slice(run.from, run.to).map((line, index) => (
              <Line key={index} line={line} marks={marks} />
            ))}
          </Fragment>
        ) : (
          <button
            key={run.from}
            type="button"
            onClick={() => setOpened(new Set([...opened, run.from]))}
            className="bg-sunken text-ink-2 hover:text-ink rounded-4 my-1 block w-full px-2 py-0.5 text-left"
          >
            Show {(run.to - run.from).toLocaleString('en')} more lines
          </button>
        ),
      )}
    </div>
  );
}

function Line({ line, marks }: { line: JsonLine; marks: PathMarks }) {
  return (
    // Deep nesting must not push the values out of the column.
    <div
      className="-indent-4 whitespace-pre-wrap [overflow-wrap:anywhere]"
      style={{ paddingLeft: `${Math.min(line.indent, 16) * 12 + 16}px` }}
    >
      {line.pieces.map((piece, index) => (
        <Piece key={index} piece={piece} marks={marksOn(piece, line, marks)} />
      ))}
    </div>
  );
}

function Piece({ piece, marks }: { piece: JsonPiece; marks: readonly PlaceMark[] }) {
  // A huge value without a place opens on request, as texts do (S-58).
  if (marks.length === 0 && isLong(piece.text)) return <LongText text={piece.text} mono />;
  return (
    <span className={classOfKind[piece.kind]}>
      {splitToken(piece.text, marks).map((segment) =>
        segment.mark ? (
          <PlaceLink key={segment.from} mark={segment.mark}>
            <VisibleText text={segment.text} />
          </PlaceLink>
        ) : (
          <VisibleText key={segment.from} text={segment.text} />
        ),
      )}
    </span>
  );
}

/**
 * A figure may be in a key (`"2024": 5`): key and value share one path, and the text decides which
 * of them is meant.
 */
function marksOn(piece: JsonPiece, line: JsonLine, marks: PathMarks): readonly PlaceMark[] {
  const here = piece.path === null ? undefined : marks.get(piece.path);
  if (!here) return [];
  const value = line.pieces.find((each) => each.path === piece.path && each.kind !== 'key');
  const key = line.pieces.find((each) => each.path === piece.path && each.kind === 'key');
  return here.filter((mark) => {
    const inKey = key !== undefined && mark.text !== null && findValue(key.text, mark.text) !== -1;
    const belongsToKey =
      value === undefined ||
      (inKey && mark.text !== null && findValue(value.text, mark.text) === -1);
    return (piece.kind === 'key') === (key !== undefined && belongsToKey);
  });
}
