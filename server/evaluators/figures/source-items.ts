import type { Source } from '../../domain';
import { findCells } from './delimited';
import { type JsonLeaf, jsonLeaves } from './json-leaves';
import { type MoneyHint, moneyHints } from './money-hint';
import type { PathNode } from './path';
import { NO_READING, type Reading, type Token } from './reading';
import { readTokens } from './scan';
import { numberReading, type Readable } from './value-index';

/** One value of one source. `node` is null in plain text, where `from` and `to` (UTF-16) tell the place. */
export interface SourceItem extends Readable {
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
/** Certainly one date or date-time: no day that a month may lack, no hour beyond 23. */
const SURE_MOMENT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
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
    if (only === undefined || (inner !== '{' && inner !== '[' && inner !== '"') || jsonLeaves(only.text) === null)
      return walked?.leaves ?? null;
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
      items.push(new NumberItem(source, node, text, currencyOf));
      continue;
    }
    const dated = SURE_MOMENT.test(text);
    if (dated) items.push(new MomentItem(source, node, text));
    else if (HAS_DIGIT.test(text)) {
      for (const token of readTokens(text, LEAF)) items.push(itemOf(token, text, source, node, 0));
    }
    if (kind === 'string' && text.length <= LABEL_LENGTH_MAX && text.length > 1 && !dated && node.parent !== null) {
      const held = labels.get(node.parent);
      if (held === undefined) labels.set(node.parent, [text]);
      else held.push(text);
    }
  }
  return { items, json: true, labels };
}

/** A JSON number: thousands of them in a tool result, of which an answer shows a few, so each is read when asked. */
class NumberItem implements SourceItem {
  readonly from = 0;
  readonly to = 0;
  private known: Reading | null = null;

  constructor(
    readonly source: number,
    readonly node: PathNode,
    readonly text: string,
    private readonly currencyOf: MoneyHint,
  ) {}

  readonly dated = false;

  get token(): string {
    return this.text;
  }

  get reading(): Reading {
    this.known ??= { ...numberReading(this.text), currency: this.currencyOf(this.node) };
    return this.known;
  }
}

/** A JSON string that is one ISO date or date-time: read when an answer shows a date. */
class MomentItem implements SourceItem {
  readonly from = 0;
  readonly token = null;
  readonly dated = true;
  private known: Reading | null = null;

  constructor(
    readonly source: number,
    readonly node: PathNode,
    readonly text: string,
  ) {}

  get to(): number {
    return this.text.length;
  }

  get reading(): Reading {
    this.known ??= readTokens(this.text, LEAF)[0]?.reading ?? NO_READING;
    return this.known;
  }
}

function itemOf(found: Token, text: string, source: number, node: PathNode | null, offset: number): SourceItem {
  const { reading, from, to } = found;
  return {
    reading,
    token: null,
    dated: reading.moment !== null,
    source,
    node,
    from: offset + from,
    to: offset + to,
    text: text.slice(from, to),
  };
}

function readText(text: string, source: number): SourceContent {
  const items: SourceItem[] = [];
  for (const { from, to } of findCells(text) ?? [{ from: 0, to: text.length }]) {
    const cell = text.slice(from, to);
    for (const token of readTokens(cell, PROSE)) items.push(itemOf(token, cell, source, null, from));
  }
  return { items, json: false, labels: new Map() };
}
