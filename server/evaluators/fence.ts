import { randomBytes } from 'node:crypto';
import { encodeData } from './encode';

/** One piece of untrusted data: the judged work, its task, or its sources. */
export interface DataBlock {
  readonly name: string;
  /** Any JSON value. */
  readonly value: unknown;
  /** Notes for the judge, in our own words. */
  readonly notes: readonly string[];
}

export type Draw = () => string;

/** 128 bits. */
export const drawNonce: Draw = () => randomBytes(16).toString('hex');

const DRAWS_MAX = 100;

/**
 * A nonce that occurs in none of the texts, so that no text can end its block or sign a reply
 * (S-22).
 * @throws Error when none can be drawn: the source of randomness is broken
 */
export function freshNonce(texts: readonly string[], draw: Draw = drawNonce): string {
  for (let i = 0; i < DRAWS_MAX; i++) {
    const nonce = draw();
    if (!texts.some((text) => text.includes(nonce))) return nonce;
  }
  throw new Error('no code could be drawn that the data does not contain');
}

/** The block as the judge sees it: one opening line, one line of JSON, one closing line. */
export function fenceBlock({ name, value, notes }: DataBlock, nonce: string): string {
  const noted = notes.length === 0 ? '' : `(${notes.join('; ')})\n`;
  return `${noted}<data nonce="${nonce}" name="${name}">\n${encodeData(value)}\n</data nonce="${nonce}">`;
}
