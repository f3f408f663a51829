import { Complexity, intakeLimits, pipelineQuery, sliceItems } from '../../domain';
import { AssayError, derivedId, invalid } from '../../platform';
import { prepareTurn, type PreparedTurn } from '../intake/prepare';
import { type ChatTurn, readChat } from './chat';
import type { ImportedPipeline, RowImport } from './imported-row';
import { readLabel, readScore } from './label';
import type { MappedValue } from './mapped-value';
import type { ImportMapping } from './mapping';
import { withAnswerLabel } from './pipeline-label';
import { readLabelsAndScores } from './read-labels';
import { type ImportRow, type RowItem, scalarText } from './row';
import { filesText } from './written-files';

export interface RowContext {
  readonly mapping: ImportMapping;
  readonly now: Date;
  /** Project and SHA-256 of the row; ids are derived from it where the row has none. */
  readonly seed: string;
}

/** Limit for all turns of one row in characters: a source is repeated for each item. */
const rowCharsMax = 64 * 1024 * 1024;

/**
 * Maps one row item by item; an error in one does not affect the others. @throws AssayError
 * invalid_request (the row as a whole)
 */
export function* mapRow(row: ImportRow, ctx: RowContext): Generator<RowImport> {
  const { mapping } = ctx;
  if (mapping.messages !== undefined) return yield* mapConversation(row, ctx, mapping.messages);
  const pipeline =
    mapping.pipeline === undefined
      ? null
      : readPipeline(row, mapping, mapping.pipeline, sessionOf(row, ctx));
  let answerId: string | null = null;
  for (const imported of mapItems(row, ctx, pipeline?.sessionId ?? null)) {
    if (imported.kind === 'turn') answerId = imported.turn.id;
    yield imported;
  }
  if (pipeline === null) return;
  yield { kind: 'pipeline', pipeline };
  yield* withAnswerLabel(
    judgements(row, mapping, undefined, { subjectId: pipeline.sessionId, turnId: null }),
    answerId,
  );
}

/** @param session the common session of the items; null where each item has its own */
function* mapItems(row: ImportRow, ctx: RowContext, session: string | null): Generator<RowImport> {
  const { mapping } = ctx;
  if (mapping.each === undefined)
    return yield* mapItem(row, ctx, { item: undefined, index: 0, session });
  const items = row.items(mapping.each);
  if (items === null) throw invalid(`each: names no array at "${mapping.each}"`);
  let chars = 0;
  for (const [index, item] of items.entries()) {
    try {
      for (const imported of mapItem(row, ctx, { item, index, session })) {
        if (imported.kind === 'turn') chars += imported.turn.payload.length;
        yield imported;
      }
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== 'invalid_request') throw error;
      yield { kind: 'error', message: `${mapping.each}[${index}]: ${error.message}` };
    }
    if (chars > rowCharsMax) throw tooMuch();
  }
}

const tooMuch = (): AssayError =>
  invalid('the turns of this row have more than 64 Mi characters together; put fewer into a row');

interface Placed {
  /** Undefined means the row as a whole. */
  readonly item: RowItem | undefined;
  readonly index: number;
  readonly session: string | null;
}

function* mapItem(
  row: ImportRow,
  ctx: RowContext,
  { item, index, session }: Placed,
): Generator<RowImport> {
  const { mapping } = ctx;
  const output = outputOf(row, mapping, item);
  const read = (value: MappedValue | undefined): string | null => readValue(row, value, item);
  const turn = prepare(ctx, [
    ['id', JSON.stringify(itemId(row, ctx, item, index))],
    [
      'session_id',
      session === null ? asText(read(mapping.session), 'session') : JSON.stringify(session),
    ],
    ...commonMembers(row, mapping, item),
    ['input', withSystem(read(mapping.input), read(mapping.system))],
    ['tools', mapping.tools === undefined ? null : toolsOf(row.read(mapping.tools, { item }))],
    ['output', output],
  ]);
  yield { kind: 'turn', turn };
  if (session === null)
    yield* judgements(row, mapping, item, { subjectId: turn.id, turnId: turn.id });
}

/** The answer with its written files appended. @throws AssayError invalid_request */
function outputOf(
  row: ImportRow,
  { output: place, files: filesPlace }: ImportMapping,
  item: RowItem | undefined,
): string {
  const output = place === undefined ? null : row.read(place, { item });
  const files = filesPlace === undefined ? null : filesText(row, filesPlace, item);
  if (files === null) {
    if (output !== null) return output;
    throw invalid(
      place === undefined
        ? `files: has no file at "${filesPlace}"`
        : `output: is missing at "${place}"`,
    );
  }
  const text = scalarText(output, 'output');
  return JSON.stringify(text === null ? files : `${text}\n\n${files}`);
}

/**
 * Labels and judgements of a conversation are about its session: nothing is known about its single
 * answers.
 */
function* mapConversation(row: ImportRow, ctx: RowContext, place: string): Generator<RowImport> {
  const { mapping } = ctx;
  const raw = row.read(place);
  if (raw === null) throw invalid(`messages: is missing at "${place}"`);
  const base = rowId(row, ctx);
  const session = sessionOf(row, ctx);
  const pipeline =
    mapping.pipeline === undefined ? null : readPipeline(row, mapping, mapping.pipeline, session);
  const system = readValue(row, mapping.system, undefined);
  const common = commonMembers(row, mapping, undefined);
  let chars = 0;
  let answerId: string | null = null;
  for (const answer of readChat(raw)) {
    const turn = prepare(ctx, [
      ['id', JSON.stringify(shortId('trn', `${base}/${answer.at}`))],
      ['session_id', JSON.stringify(session)],
      ...common,
      ['input', conversationInput(answer, system)],
      ['tools', `[${answer.tools.join(',')}]`],
      ['output', answer.output],
    ]);
    chars += turn.payload.length;
    if (chars > rowCharsMax) throw tooMuch();
    answerId = turn.id;
    yield { kind: 'turn', turn };
  }
  if (pipeline !== null) yield { kind: 'pipeline', pipeline };
  const contents = judgements(row, mapping, undefined, { subjectId: session, turnId: null });
  yield* pipeline === null ? contents : withAnswerLabel(contents, answerId);
}

/** The row's own id, or a derived one. */
function rowId(row: ImportRow, { mapping, seed }: RowContext): string {
  const places = typeof mapping.id === 'string' ? [mapping.id] : (mapping.id ?? []);
  const rowPlaces = places.filter((place) => !place.startsWith('@'));
  return (
    ownId(row, { ...mapping, id: rowPlaces.length === 0 ? undefined : rowPlaces }, undefined) ??
    derivedId('ses', seed)
  );
}

function sessionOf(row: ImportRow, ctx: RowContext): string {
  return (
    scalarText(readValue(row, ctx.mapping.session, undefined), 'session') ??
    shortId('ses', rowId(row, ctx))
  );
}

/** @throws AssayError invalid_request (an unknown complexity) */
function readPipeline(
  row: ImportRow,
  mapping: ImportMapping,
  { query, complexity }: NonNullable<ImportMapping['pipeline']>,
  sessionId: string,
): ImportedPipeline {
  const word = scalarText(readValue(row, complexity, undefined), 'complexity');
  const known = word === null ? null : Complexity.safeParse(word);
  if (known?.success === false)
    throw invalid(`complexity: ${known.error.issues[0]?.message ?? 'is not valid'}`);
  // A path into an item is resolved for that item only, not for the row.
  const started =
    typeof mapping.started_at === 'string' && mapping.started_at.startsWith('@')
      ? undefined
      : mapping.started_at;
  const at = new Date(scalarText(readValue(row, started, undefined), 'started_at') ?? Number.NaN);
  return {
    sessionId,
    query: pipelineQuery(scalarText(readValue(row, query, undefined), 'query')),
    complexity: known?.data ?? null,
    startedAt: Number.isNaN(at.getTime()) ? null : at,
  };
}

type Member = readonly [name: string, raw: string | null];

function commonMembers(
  row: ImportRow,
  mapping: ImportMapping,
  item: RowItem | undefined,
): Member[] {
  const read = (value: MappedValue | undefined): string | null => readValue(row, value, item);
  const metadata = Object.entries(mapping.metadata ?? {}).map(
    ([name, value]): Member => [name, read(value)],
  );
  return [
    ['model', asText(read(mapping.model), 'model')],
    ['source', asText(read(mapping.source), 'source')],
    ['started_at', asText(read(mapping.started_at), 'started_at')],
    ['context', contextOf(row, mapping, item)],
    ['tags', tagsOf(read(mapping.tags))],
    ['metadata', metadata.length === 0 ? null : objectText(metadata)],
  ];
}

function contextOf(
  row: ImportRow,
  { context }: ImportMapping,
  item: RowItem | undefined,
): string | null {
  if (context === undefined) return null;
  const blocks = typeof context === 'string' ? [{ path: context, id: undefined }] : context;
  const texts = blocks.flatMap(({ id, path }) => {
    const content = row.read(path, { item });
    const named: Member = ['id', id === undefined ? null : JSON.stringify(id)];
    return content === null ? [] : [objectText([named, ['content', content]])];
  });
  return texts.length === 0 ? null : `[${texts.join(',')}]`;
}

/**
 * An array whose items have results is a list of tool calls; any other value is the result of one.
 */
function toolsOf(raw: string | null): string | null {
  if (raw === null) return null;
  const calls = raw.startsWith('[') ? (JSON.parse(raw) as unknown[]) : [];
  const isCalls =
    calls.length > 0 &&
    calls.every(
      (call) => typeof call === 'object' && call !== null && Object.hasOwn(call, 'result'),
    );
  return isCalls ? raw : `[${objectText([['result', raw]])}]`;
}

function tagsOf(raw: string | null): string | null {
  if (raw === null || raw.startsWith('[')) return raw;
  const words = (scalarText(raw, 'tags') ?? '').split(',').map((word) => word.trim());
  return JSON.stringify(words.filter((word) => word !== ''));
}

function withSystem(input: string | null, system: string | null): string | null {
  if (system === null) return input;
  const first = objectText([
    ['role', '"system"'],
    ['content', system],
  ]);
  if (input === null) return `[${first}]`;
  if (!input.startsWith('['))
    return `[${first},${objectText([
      ['role', '"user"'],
      ['content', input],
    ])}]`;
  return `[${[first, ...sliceItems(input).map((slice) => input.slice(slice.start, slice.end))].join(',')}]`;
}

function conversationInput({ input }: ChatTurn, system: string | null): string {
  return withSystem(`[${input.join(',')}]`, system) ?? '[]';
}

function* judgements(
  row: ImportRow,
  mapping: ImportMapping,
  item: RowItem | undefined,
  about: { readonly subjectId: string; readonly turnId: string | null },
): Generator<RowImport> {
  yield* readLabelsAndScores(row, mapping, item, about);
  const at = (place: string | undefined): string | null =>
    place === undefined ? null : row.read(place, { item });
  const label = readLabel(
    at(mapping.human_label),
    scalarText(readValue(row, mapping.rater, item), 'rater'),
    mapping,
  );
  if (label !== null) yield { kind: 'label', subjectId: about.subjectId, label };
  const judge = scalarText(readValue(row, mapping.judge, item), 'judge');
  if (judge === null) return;
  const score = readScore(
    { judge, verdict: at(mapping.judge_verdict), score: at(mapping.judge_score) },
    mapping,
  );
  if (score !== null) yield { kind: 'score', ...about, score };
}

function itemId(row: ImportRow, ctx: RowContext, item: RowItem | undefined, index: number): string {
  const { mapping, seed } = ctx;
  const rowOwnId = ownId(row, mapping, item);
  if (rowOwnId === null) return derivedId('trn', seed, String(index));
  const places = typeof mapping.id === 'string' ? [mapping.id] : (mapping.id ?? []);
  const ofItem = item === undefined || places.some((place) => place.startsWith('@'));
  return shortId('trn', ofItem ? rowOwnId : `${rowOwnId}/${index}`);
}

/**
 * Null where the mapping names none. @throws AssayError invalid_request if the row lacks the one it
 * names
 */
function ownId(row: ImportRow, { id }: ImportMapping, item: RowItem | undefined): string | null {
  if (id === undefined) return null;
  const parts = (typeof id === 'string' ? [id] : id).map((place) => {
    const part = scalarText(row.read(place, { item }), 'id');
    if (part === null || part === '') throw invalid(`id: is missing at "${place}"`);
    return part;
  });
  return parts.join('/');
}

function shortId(prefix: string, id: string): string {
  return id.length > intakeLimits.idChars ? derivedId(prefix, id) : id;
}

function readValue(
  row: ImportRow,
  value: MappedValue | undefined,
  item: RowItem | undefined,
): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? row.read(value, { item }) : JSON.stringify(value.const);
}

/** A scalar as a JSON string. */
function asText(raw: string | null, field: string): string | null {
  const text = scalarText(raw, field);
  return text === null ? null : JSON.stringify(text);
}

function objectText(members: readonly Member[]): string {
  return `{${members.flatMap(([name, raw]) => (raw === null ? [] : [`${JSON.stringify(name)}:${raw}`])).join(',')}}`;
}

function prepare(ctx: RowContext, members: readonly Member[]): PreparedTurn {
  return prepareTurn(Buffer.from(objectText(members)), true, { now: ctx.now, idSeed: null });
}
