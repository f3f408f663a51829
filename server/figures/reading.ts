import type { FigureKind } from '../domain';
import type { Quantity } from './decimal';
import type { Moment } from './moment';

/**
 * The meaning of a figure, and the only input of matching. Answers, sources and facts are parsed
 * into this same shape.
 */
export interface FigureReading {
  /**
   * Possible values, the canonical one first ("512B": bytes or billions). Empty for moments and
   * literals.
   */
  readonly quantities: readonly Quantity[];
  readonly percent: boolean;
  /** ISO 4217 code, or null if there is none. */
  readonly currency: string | null;
  readonly moment: Moment | null;
  /** Versions, addresses and other values only equal to themselves (an ambiguous 04/01/2024). */
  readonly literal: string | null;
  /** A plain four-digit whole number, which may be the year of a source's date. */
  readonly year: string | null;
  /** An ordinal alone ("the 8th"), which may be the day of a source's date. */
  readonly ordinalDay: string | null;
}

export const NO_READING: FigureReading = {
  quantities: [],
  percent: false,
  currency: null,
  moment: null,
  literal: null,
  year: null,
  ordinalDay: null,
};

/** A figure as found in a text. `from` and `to` are UTF-16 indexes of that text, end exclusive. */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly kind: FigureKind;
  /** Canonical value (figure.ts). */
  readonly value: string;
  readonly unit: string | null;
  /** The power of ten from a word or letter (million: 6), else 0. */
  readonly scale: number;
  readonly reading: FigureReading;
}
