import { AssayError, invalid } from '../../platform';
import { readJudgeReply } from './judge-reply';
import type { RowImport } from './imported-row';
import { type ImportedLabel, type ImportedScore, readRuling, type RulingWords } from './label';
import { numberInText } from './number-in-text';
import { type ImportRow, type RowEntry, type RowItem, scalarText, type Within } from './row';
import type { MappedName, MappedJudgement, MappedLabel } from './label-mapping';

/** Limit of labels and judgements together for one item. */
const maxEntries = 10_000;
const reasonChars = 10_000;
const unreadChars = 500;
/** Limits in characters: a category word, a rater, a dimension, a presentation, a judge's name. */
const lengths = { word: 100, rater: 200, dimension: 200, presentation: 100, judge: 300 } as const;

export interface LabelMapping extends RulingWords {
  readonly labels?: readonly MappedLabel[] | undefined;
  readonly judgements?: readonly MappedJudgement[] | undefined;
}

/**
 * Labels and judgements of one subject, from an item or a whole row. An error in one entry does not
 * affect the others.
 */
export function* readLabelsAndScores(
  row: ImportRow,
  mapping: LabelMapping,
  item: RowItem | undefined,
  about: { readonly subjectId: string; readonly turnId: string | null },
): Generator<RowImport> {
  let count = 0;
  const sources = [
    ...(mapping.labels ?? []).map((source, at) => ({ said: source, name: `labels[${at}]` })),
    ...(mapping.judgements ?? []).map((source, at) => ({
      said: source,
      name: `judgements[${at}]`,
    })),
  ];
  for (const { said: source, name } of sources) {
    for (const { entry, field } of entriesOf(row, source, item, name)) {
      if (++count > maxEntries)
        throw invalid(
          `${name}: must have at most ${maxEntries} labels and judgements for one item`,
        );
      const position: EntryPosition = {
        row,
        within: { item, entry: entry?.at },
        key: entry?.key ?? '',
      };
      try {
        if ('judge' in source) {
          const score = readJudgement(position, source, mapping);
          if (score !== null) yield { kind: 'score', ...about, score };
        } else {
          const label = readMappedLabel(position, source, mapping);
          if (label !== null) yield { kind: 'label', subjectId: about.subjectId, label };
        }
      } catch (error) {
        if (!(error instanceof AssayError) || error.code !== 'invalid_request') throw error;
        yield { kind: 'error', message: `${field}: ${error.message}` };
      }
    }
  }
}

interface Entry {
  /** Undefined means the item, or the row, itself. */
  readonly entry: RowEntry | undefined;
  readonly field: string;
}

/** An `each` without a value means no labels: people label some rows and not others. */
function entriesOf(
  row: ImportRow,
  source: MappedLabel | MappedJudgement,
  item: RowItem | undefined,
  name: string,
): Entry[] {
  if (source.each === undefined) return [{ entry: undefined, field: name }];
  const entries = row.entries(source.each, { item }) ?? [];
  return entries.map((entry) => ({
    entry,
    field: `${name} at ${JSON.stringify(entry.key.slice(0, 100))}`,
  }));
}

interface EntryPosition {
  readonly row: ImportRow;
  readonly within: Within;
  readonly key: string;
}

/** Null where the value, or one of its parts, is missing. @throws AssayError invalid_request */
function readName(
  { row, within, key }: EntryPosition,
  name: MappedName | undefined,
  field: keyof typeof lengths,
): string | null {
  if (name === undefined) return null;
  const parts = [name].flat().map((part) => {
    if (typeof part === 'string') return scalarText(row.read(part, within), field);
    return 'key' in part ? key : String(part.const);
  });
  const text = parts.includes(null) ? '' : parts.join('/');
  return text.trim() === '' ? null : bounded(text, field);
}

function bounded(text: string, field: keyof typeof lengths): string {
  if (text.length > lengths[field])
    throw invalid(`${field}: must have at most ${lengths[field]} characters`);
  return text;
}

const ownWord = (words: Readonly<Record<string, string>> | undefined, text: string): string =>
  words !== undefined && Object.hasOwn(words, text) ? (words[text] ?? text) : text;

/**
 * Null where there is no label. @throws AssayError invalid_request (the label has a form other than
 * the mapping declares)
 */
function readMappedLabel(
  place: EntryPosition,
  label: MappedLabel,
  mapping: RulingWords,
): ImportedLabel | null {
  const raw = place.row.read(label.value, place.within);
  if (raw === null) return null;
  const emptyLabel = { success: null, score: null, value: null, points: null };
  const who = {
    dimension: readName(place, label.dimension, 'dimension'),
    rater: readName(place, label.rater, 'rater'),
  };
  if (label.as === 'pass_fail') {
    const ruling = readRuling(withWords(counted(raw, label.only), label.words), mapping, 'value');
    if (ruling.text.trim() === '') return null;
    if (ruling.verdict === null)
      throw invalid(
        `${shown(ruling.text)} is neither a word for pass nor one for fail; see pass_values and fail_values`,
      );
    return { ...emptyLabel, ...who, success: ruling.verdict === 'pass' };
  }
  const text = scalarText(raw, 'value') ?? '';
  if (text.trim() === '') return null;
  if (label.as === 'category')
    return { ...emptyLabel, ...who, value: bounded(ownWord(label.words, text), 'word') };
  const points = numberInText(text, undefined);
  if (points === null) throw invalid(`${shown(text)} is not a number`);
  return { ...emptyLabel, ...who, points };
}

/** Null where there is no judgement. @throws AssayError invalid_request */
function readJudgement(
  place: EntryPosition,
  judgement: MappedJudgement,
  mapping: RulingWords,
): ImportedScore | null {
  const judge = readName(place, judgement.judge, 'judge');
  const presentation = readName(place, judgement.presentation, 'presentation');
  const raw = place.row.read(judgement.value, place.within);
  const text = raw === null || raw.startsWith('[') ? '' : (scalarText(raw, 'value') ?? '');
  const isEmpty = raw === null || (text.trim() === '' && !raw.startsWith('['));
  if (judge === null || (isEmpty && judgement.when_empty === 'skip')) return null;
  const words = judgement.words_in?.[presentation ?? ''] ?? judgement.words;
  const found = isEmpty
    ? null
    : readValue({ ...judgement, words }, mapping, ...replied(judgement, raw, text));
  const reason =
    judgement.reason === undefined ? null : place.row.read(judgement.reason, place.within);
  const reasons = reason === null ? [] : [reasonText(reason)];
  const taken = found ?? takenFor(judgement);
  return {
    model: judge,
    scale: judgement.as,
    dimension: readName(place, judgement.dimension, 'dimension'),
    presentation,
    value: taken.value ?? null,
    label: taken.label ?? null,
    category: taken.category ?? null,
    unread: found === null,
    explanation:
      [...(found === null ? [unreadNote(isEmpty ? null : text)] : []), ...reasons].join('\n') ||
      null,
  };
}

/**
 * The verdict that the reply states, instead of the whole reply; empty where it states none, which
 * cannot be read.
 */
function replied(
  { reply }: MappedJudgement,
  raw: string,
  text: string,
): [raw: string, text: string] {
  if (reply === undefined) return [raw, text];
  const read = readJudgeReply(reply, text);
  const stated = read.state === 'read' ? String(read.value) : '';
  return [JSON.stringify(stated), stated];
}

/** A list of faults, filtered to those that count. */
function counted(raw: string, only: MappedLabel['only']): string {
  if (only === undefined || !raw.startsWith('[')) return raw;
  const faults = (JSON.parse(raw) as unknown[]).filter((fault) => {
    const value =
      typeof fault === 'object' && fault !== null
        ? (fault as Record<string, unknown>)[only.member]
        : undefined;
    return [value].flat().some((word) => typeof word === 'string' && only.is.includes(word));
  });
  return JSON.stringify(faults);
}

interface Found {
  readonly value?: number;
  readonly label?: 'pass' | 'fail';
  readonly category?: string;
}

/** Null where it cannot be read. */
function readValue(
  judgement: MappedJudgement,
  mapping: RulingWords,
  raw: string,
  text: string,
): Found | null {
  if (judgement.as === 'pass_fail') {
    const { verdict } = readRuling(
      withWords(counted(raw, judgement.only), judgement.words),
      mapping,
      'value',
    );
    return verdict === null ? null : { label: verdict };
  }
  if (judgement.as === 'category') {
    const word = ownWord(judgement.words, text);
    const isKnown =
      raw.startsWith('[') || text === ''
        ? false
        : judgement.categories === undefined
          ? word.length <= lengths.word
          : judgement.categories.includes(word);
    return isKnown ? { category: word } : null;
  }
  const value = numberInText(text, judgement.number);
  const [min, max] = judgement.range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return value === null || value < min || value > max ? null : { value };
}

function takenFor({ as, unparseable_as: taken }: MappedJudgement): Found {
  if (taken === undefined) return {};
  if (as === 'category') return { category: taken };
  return taken === 'pass' || taken === 'fail' ? { label: taken } : {};
}

function withWords(raw: string, words: Readonly<Record<string, string>> | undefined): string {
  if (words === undefined || raw.startsWith('[')) return raw;
  return JSON.stringify(ownWord(words, scalarText(raw, 'value') ?? ''));
}

const shown = (text: string): string => JSON.stringify(text.slice(0, unreadChars));

/** The same format as for a verdict in a separate column, so that readers parse only one. */
const unreadNote = (text: string | null): string =>
  `not read: ${text === null ? 'no verdict' : `verdict ${shown(text)}`}`;

function reasonText(raw: string): string {
  return (raw.startsWith('"') ? (JSON.parse(raw) as string) : raw).slice(0, reasonChars);
}
