import type { Source } from '../../domain';
import { findCells } from './delimited';
import { type JsonLeaf, jsonLeaves } from './json-leaves';
import { moneyHints } from './money-hint';
import type { PathNode } from './path';
import type { Reading } from './reading';
import { readTokens } from './scan';
import { numberReading } from './value-index';

/** One value of one source. `node` is null in plain text, where `from` and `to` (UTF-16) tell the place. */
export interface SourceItem {
  readonly reading: Reading;
  /** Position of its source in the turn's list. */
  readonly source: number;
  readonly node: PathNode | null;
  readonly from: number;
  readonly to: number;
  /** The value as the source writes it. */
  readonly text: string;
}

/** What one source holds. `labels`: short texts by the object or row they stand in, which name that row to a reader. */
export interface SourceContent {
  readonly items: readonly SourceItem[];
  readonly json: boolean;
  readonly labels: ReadonlyMap<PathNode, readonly string[]>;
}

const HAS_DIGIT = /[0-9\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/;
const LABEL_LENGTH_MAX = 40;
/** A JSON string that holds JSON text is unwrapped this often. */
const UNWRAPS_MAX = 3;
const PROSE = { markdown: false, numbering: true };
const LEAF = { markdown: false, numbering: false };

/** All values of a source. JSON is read from its text; JSON that does not parse is read as plain text. */
export function readSource(source: Source, position: number): SourceContent {
  const leaves = findLeaves(source);
  return leaves === null ? readText(source.text, position) : readLeaves(leaves, position);
}

function findLeaves(source: Source): readonly JsonLeaf[] | null {
  let text = source.text;
  // A tool result that is one string of JSON text is meant as JSON, however often it was wrapped.
  for (let unwraps = 0; unwraps < UNWRAPS_MAX; unwraps++) {
    const first = text.trimStart()[0];
    if (source.format === 'text' && first !== '{' && first !== '[' && first !== '"') return null;
    const walked = jsonLeaves(text);
    const only = walked?.leaves.length === 1 ? walked.leaves[0] : undefined;
    const inner = only?.kind === 'string' && only.node.step === null ? only.text.trimStart()[0] : undefined;
    if (only === undefined || (inner !== '{' && inner !== '[' && inner !== '"') || jsonLeaves(only.text) === null) return walked?.leaves ?? null;
    text = only.text;
  }
  return jsonLeaves(text)?.leaves ?? null;
}

function readLeaves(leaves: readonly JsonLeaf[], source: number): SourceContent {
  const items: SourceItem[] = [];
  const labels = new Map<PathNode, string[]>();
  const currencyOf = moneyHints(leaves);
  for (const { kind, text, node } of leaves) {
    if (kind === 'number') {
      const reading = numberReading(text);
      const currency = currencyOf(node);
      items.push({ reading: currency === null ? reading : { ...reading, currency }, source, node, from: 0, to: 0, text });
      continue;
    }
    if (HAS_DIGIT.test(text)) {
      for (const token of readTokens(text, LEAF)) {
        items.push({ reading: token.reading, source, node, from: token.from, to: token.to, text: text.slice(token.from, token.to) });
      }
    }
    if (kind === 'string' && text.length <= LABEL_LENGTH_MAX && text.length > 1 && node.parent !== null) {
      const held = labels.get(node.parent);
      if (held === undefined) labels.set(node.parent, [text.toLowerCase()]);
      else held.push(text.toLowerCase());
    }
  }
  return { items, json: true, labels };
}

function readText(text: string, source: number): SourceContent {
  const items: SourceItem[] = [];
  for (const { from, to } of findCells(text) ?? [{ from: 0, to: text.length }]) {
    const cell = text.slice(from, to);
    for (const token of readTokens(cell, PROSE)) {
      const written = cell.slice(token.from, token.to);
      items.push({ reading: token.reading, source, node: null, from: from + token.from, to: from + token.to, text: written });
    }
  }
  return { items, json: false, labels: new Map() };
}
