'use client';

import { useState } from 'react';
import { VisibleText } from '@/app/_ui/visible-text';
import type { Figure, Place } from '@/server/domain';
import { useLinking } from './linking';

interface FigurePlacesProps {
  figure: Figure;
  /** Of the figure in the answer. */
  index: number;
}

/** More operands than these open on request. */
const OPERANDS_SHOWN = 6;

/**
 * Where a figure's value stands, where its sentence points instead, and what it was calculated
 * from.
 */
export function FigurePlaces({ figure, index }: FigurePlacesProps) {
  const { source, cited, expected, derived, sourced } = figure;
  const found = source ?? cited;
  // The place of a value that the sentence does not mean is told apart from the one that it does
  // mean.
  const lead = source === null ? 'cited' : sourced || !expected ? null : 'stands at';
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
  place: Place;
  /** What the place is to the figure, before it. */
  lead: string | null;
  /** As the source writes it, where that says more. */
  value: string | null;
  /** For a screen reader, before all. */
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
