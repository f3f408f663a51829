import type { Figure, PlacedValue } from '../domain';
import { contextOf, derive, type Derivation } from './derive';
import { Attribution, type Clue, type Misattribution } from './place/attribute';
import type { ScannedFigure } from './scan';
import type { SourceIndex } from './source-index';
import type { SourceItem } from './source-items';

/** A figure, the place of its value, if any, and a contradiction with that place. */
export interface Trace {
  readonly figure: ScannedFigure;
  readonly item: SourceItem | null;
  /** Set if the value exists only at places that the sentence does not refer to. */
  readonly misattribution: Misattribution | null;
  /** Its derivation from other values, if no place matches. */
  readonly derivation: Derivation | null;
}

/**
 * Figures beyond this many take their value's first place instead of the one that the sentence
 * points to.
 */
const PLACED_FIGURES_MAX = 2_000;
/**
 * Maximum number of figures in one answer for which a derivation is tried: an answer with more is
 * not prose, and derivations would match by chance.
 */
const DERIVED_FIGURES_MAX = 1_000;
const OPERANDS_MAX = 100;

/**
 * Traces each figure to the best place of its value among the turn's sources (INT-2, INT-18), and
 * reports when the sentence cannot refer to any of those places. Pure; order is kept.
 * @param clues the clues to use around a figure; all by default
 */
export function traceFigures(
  figures: readonly ScannedFigure[],
  answer: string,
  index: SourceIndex,
  clues?: ReadonlySet<Clue>,
): readonly Trace[] {
  if (figures.length === 0) return [];
  const attribution = new Attribution(index, answer, figures.slice(0, PLACED_FIGURES_MAX), clues);
  const placed = new Map<ScannedFigure, Trace>();
  const traces = figures.map((figure, i): Trace => {
    const items = attribution.itemsOf(figure);
    if (i >= PLACED_FIGURES_MAX)
      return { figure, item: items[0] ?? null, misattribution: null, derivation: null };
    const trace =
      repeated(figure, attribution, placed) ?? place(figure, items, answer, index, attribution);
    placed.set(figure, trace);
    return trace;
  });
  let left = DERIVED_FIGURES_MAX;
  return traces.map((trace, i) => {
    if (
      i >= PLACED_FIGURES_MAX ||
      trace.derivation !== null ||
      repeatedWrong(trace, attribution) ||
      (trace.item !== null && trace.misattribution === null) ||
      left-- <= 0
    )
      return trace;
    const derivation = derive(trace.figure, contextOf(answer, traces, i), index);
    // A column contains its maximum and minimum: the contradiction with the place is more
    // informative.
    const isExtreme =
      trace.item !== null && (derivation?.operation === 'min' || derivation?.operation === 'max');
    return isExtreme ? trace : { ...trace, derivation };
  });
}

/** The place of a figure's value: its own, or that of a value in another unit. */
function place(
  figure: ScannedFigure,
  found: readonly SourceItem[],
  answer: string,
  index: SourceIndex,
  attribution: Attribution,
): Trace {
  let unit = figure.unit;
  let items = attribution.agreeing(figure, found);
  const unplaced = { figure, item: null, misattribution: null, derivation: null };
  if (items.length === 0) {
    const reread = attribution.reread(figure);
    if (reread === null) {
      const hedged = attribution.hedged(figure);
      return hedged === null
        ? { ...unplaced, derivation: conversion(figure, attribution) }
        : { ...unplaced, item: hedged };
    }
    ({ items, unit } = reread);
  }
  const judged = attribution.judge(figure, items, unit);
  if ('items' in judged) return { ...unplaced, item: index.nearest(judged.items, figure, answer) };
  const derivation = conversion(figure, attribution);
  if (derivation !== null) return { ...unplaced, derivation };
  return { ...unplaced, item: index.nearest(items, figure, answer), misattribution: judged };
}

/** A figure that repeats the previous one in another unit follows from it, or is wrong. */
function repeated(
  figure: ScannedFigure,
  attribution: Attribution,
  placed: ReadonlyMap<ScannedFigure, Trace>,
): Trace | null {
  const repetition = attribution.repetition(figure);
  if (repetition === null) return null;
  const base = placed.get(repetition.base);
  const item = base?.item ?? base?.derivation?.operands[0] ?? null;
  const isRight = repetition.right && item !== null;
  const formula = `${shown(repetition.base)} = ${shown(figure)}`;
  return {
    figure,
    item: null,
    misattribution: null,
    derivation: isRight ? { operation: 'conversion', formula, operands: [item] } : null,
  };
}

function repeatedWrong({ figure }: Trace, attribution: Attribution): boolean {
  return attribution.repetition(figure) !== null;
}

function conversion(figure: ScannedFigure, attribution: Attribution): Derivation | null {
  const found = attribution.converted(figure);
  if (found === null) return null;
  return {
    operation: 'conversion',
    formula: `${found.item.text} ${found.unit} = ${shown(figure)}`,
    operands: [found.item],
  };
}

/** A figure with its unit, which may be outside its text. */
function shown({ text, unit }: ScannedFigure): string {
  return unit === null || text.endsWith(unit) ? text : `${text} ${unit}`;
}

/**
 * A figure as the scan alone traced it, without the citations of an envelope. A derived one is sourced
 * only if the settings allow it (INT-19).
 */
export function figureOf(trace: Trace, index: SourceIndex, derivedCounts = false): Figure {
  const { figure, item, misattribution, derivation } = trace;
  const { text, start, end, kind, value, unit } = figure;
  const status = statusOf(trace);
  const sourced = status === 'sourced' || (status === 'derived' && derivedCounts);
  const expected = status === 'misattributed' ? (misattribution?.expected ?? null) : null;
  const shown = status === 'derived' ? null : item;
  return {
    text,
    start,
    end,
    kind,
    value,
    unit,
    sourced,
    source: shown === null ? null : index.placeOf(shown),
    citation_ok: null,
    source_text: shown?.text ?? null,
    cited: null,
    reason: sourced
      ? null
      : status === 'misattributed'
        ? 'misattributed'
        : status === 'derived'
          ? 'derived'
          : 'not_in_sources',
    status,
    expected: expected === null ? null : placed(expected, index),
    derived:
      derivation === null
        ? null
        : {
            formula: derivation.formula,
            operands: derivation.operands.slice(0, OPERANDS_MAX).map((each) => placed(each, index)),
          },
    explanation: sourced ? null : explain(trace),
  };
}

function statusOf({ item, misattribution, derivation }: Trace): NonNullable<Figure['status']> {
  if (derivation !== null) return 'derived';
  if (item === null) return 'unsourced';
  return misattribution === null ? 'sourced' : 'misattributed';
}

function explain({ item, misattribution, derivation }: Trace): string {
  if (derivation !== null) return `calculated, not in a source: ${derivation.formula}`;
  if (item === null || misattribution === null) return 'the value is in no source of this turn';
  return misattribution.why;
}

function placed(item: SourceItem, index: SourceIndex): PlacedValue {
  return { ...index.placeOf(item), value: item.text };
}
