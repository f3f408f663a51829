'use client';

import { useState } from 'react';
import { VisibleText } from '@/app/_ui/visible-text';
import type { Figure, SourcePlace } from '@/server/domain';
import { useLinking } from './linking';

interface FigurePlacesProps {
  figure: Figure;
  /** Index of the figure in the answer. */
  index: number;
}

/** Further operands open on request. */
const OPERANDS_SHOWN = 6;

/**
 * The place of a figure's value, the place that its sentence refers to, and the operands of its
 * calculation.
 */
export function FigurePlaces({ figure, index }: FigurePlacesProps) {
  const { source, cited, expected, derived, sourced } = figure;
  const found = source ?? cited;
  // Distinguishes the place of a value that the sentence does not refer to from the one that it
  // does.
  const lead = source === null ? 'cited' : sourced || !expected ? null : 'found at';
  return (
    <>
      {found ? (
        <PlaceLine
          index={index}
          place={found}
          lead={lead}
          value={figure.source_text === figure.text ? null : figure.source_text}
          name="go to source"
        />
      ) : null}
      {expected ? (
        <PlaceLine
          index={index}
          place={expected}
          lead="the sentence points at"
          value={expected.value}
          name="go to the place,"
        />
      ) : null}
      {derived ? (
        <>
          <p className="text-12 [overflow-wrap:anywhere]">
            <span className="text-ink-3">calculated </span>
            <code className="font-mono">
              <VisibleText text={derived.formula} />
            </code>
          </p>
          <Operands figure={figure} index={index} />
        </>
      ) : null}
    </>
  );
}

function Operands({ figure, index }: FigurePlacesProps) {
  const [all, setAll] = useState(false);
  const operands = figure.derived?.operands ?? [];
  const shown = all ? operands : operands.slice(0, OPERANDS_SHOWN);
  return (
    <>
      {shown.map((operand, at) => (
        <PlaceLine
          key={at}
          index={index}
          place={operand}
          lead="from"
          value={operand.value}
          name="go to the place,"
        />
      ))}
      {shown.length < operands.length ? (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="text-12 text-ink-2 text-left underline"
        >
          Show all {operands.length} values
        </button>
      ) : null}
    </>
  );
}

interface PlaceLineProps {
  index: number;
  place: SourcePlace;
  /** Relation of the place to the figure, shown before it. */
  lead: string | null;
  /** As written in the source, if that is more specific. */
  value: string | null;
  /** The label for screen readers, first of all. */
  name: string;
}

function PlaceLine({ index, place, lead, value, name }: PlaceLineProps) {
  const { toSource } = useLinking();
  return (
    <button
      type="button"
      onClick={() => toSource(index, place)}
      className="text-12 text-ink-2 text-left font-mono [overflow-wrap:anywhere] hover:underline"
    >
      <span className="sr-only">{name} </span>
      {lead === null ? null : <span className="text-ink-3 font-sans">{lead} </span>}
      <VisibleText text={`${place.id} › ${place.path}`} />
      {value === null ? null : (
        <span className="text-ink-3">
          {' = '}
          <VisibleText text={value} />
        </span>
      )}
    </button>
  );
}
