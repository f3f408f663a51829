import { Document, isMap, isScalar, isSeq, type Pair, parseDocument, YAMLMap, YAMLSeq } from 'yaml';
import { z } from 'zod';
import { complexities, exampleBands, PromptExample } from '@/server/domain';

const typed = z.union([z.string(), z.number()]).transform(String).catch('');

/** An example in a draft: all text, as people type it, and possibly invalid. */
export const ExampleDraft = z.object({
  band: z.enum(exampleBands).catch('good'),
  complexity: z.enum(complexities).catch('MEDIUM'),
  query: typed,
  decomposition: typed,
  score: typed,
  reasoning: typed,
});
export type ExampleDraft = z.infer<typeof ExampleDraft>;
export type ExampleErrors = Readonly<Partial<Record<keyof ExampleDraft, string>>>;

export const newExample: ExampleDraft = {
  band: 'good',
  complexity: 'MEDIUM',
  query: '',
  decomposition: '',
  score: '',
  reasoning: '',
};

/** The parsed example, or the error of each of its fields. */
export function readDraft(
  draft: ExampleDraft,
): { readonly example: PromptExample } | { readonly errors: ExampleErrors } {
  const score = draft.score.trim() === '' ? Number.NaN : Number(draft.score.replace(',', '.'));
  const read = PromptExample.safeParse({ ...draft, score });
  if (read.success) return { example: read.data };
  const errors: { -readonly [Name in keyof ExampleErrors]: ExampleErrors[Name] } = {};
  for (const { path, message } of read.error.issues) {
    const field = ExampleDraft.keyof().safeParse(path[0]).data;
    if (field !== undefined)
      errors[field] ??=
        field === 'score' && Number.isNaN(score) ? 'A number from 0 to 1.' : message;
  }
  return { errors };
}

/** The examples of a draft, even invalid ones; null if its front matter cannot be read. */
export function readExamples(body: string): readonly ExampleDraft[] | null {
  const document = documentOf(body)?.document;
  if (document === undefined) return null;
  const list = z.object({ examples: z.array(z.unknown()).catch([]) }).safeParse(plainOf(document));
  return list.success
    ? list.data.examples.map((each) =>
        ExampleDraft.parse(typeof each === 'object' && each !== null ? each : {}),
      )
    : [];
}

/**
 * The draft with the example at `index` replaced, one more appended after the last, or the one at
 * `index` removed (null). The rest stays unchanged, byte for byte. Unchanged if the front matter
 * cannot be read.
 */
export function withExample(body: string, index: number, example: PromptExample | null): string {
  const found = documentOf(body);
  if (found === null) return body;
  const { document, map, start, source, lineEnd } = found;
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === 'examples');
  const list = isSeq(pair?.value) ? pair.value : new YAMLSeq();
  list.flow = false;
  if (example === null) list.items.splice(index, 1);
  else list.items.splice(index, index < list.items.length ? 1 : 0, document.createNode(example));
  const text = list.items.length === 0 ? '' : textOf(list).replaceAll('\n', lineEnd);
  const [from, to] = pair === undefined ? [source.length, source.length] : placeOf(pair, source);
  const before = source.slice(0, from);
  const joint = before === '' || /[\r\n]$/.test(before) ? '' : lineEnd;
  const changed = `${before}${joint}${text}${source.slice(to)}`;
  return `${body.slice(0, start)}${changed}${body.slice(start + source.length)}`;
}

interface Found {
  readonly document: Document.Parsed;
  readonly map: YAMLMap;
  /** Where the YAML begins in the draft, after the opening mark. */
  readonly start: number;
  /** Includes the line end before the closing mark. */
  readonly source: string;
  readonly lineEnd: string;
}

/** The front matter between its two marks. */
function documentOf(body: string): Found | null {
  const opening = /^\uFEFF?---[ \t]*(\r\n|\n|\r)/.exec(body);
  if (opening === null) return null;
  const start = opening[0].length;
  const closing = /(?:^|\r\n|\n|\r)---[ \t]*(?=\r|\n|$)/.exec(body.slice(start));
  if (closing === null) return null;
  const markAt = closing.index + closing[0].indexOf('---');
  const source = body.slice(start, start + markAt);
  try {
    const document = parseDocument(source, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: true,
      prettyErrors: false,
    });
    const map = document.contents;
    return document.errors.length > 0 || !isMap(map)
      ? null
      : { document, map, start, source, lineEnd: opening[1] ?? '\n' };
  } catch {
    return null;
  }
}

function plainOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    return null;
  }
}

/** From the start of the key's line to the start of the next key's line. */
function placeOf({ key, value }: Pair, source: string): readonly [number, number] {
  const from = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  const end = isScalar(value) || isSeq(value) || isMap(value) ? (value.range?.[2] ?? from) : from;
  const lineEnd = /[\r\n]$/.test(source.slice(from, end)) ? end : nextLine(source, end);
  return [from, lineEnd];
}

function nextLine(source: string, at: number): number {
  const end = /\r\n|\n|\r/.exec(source.slice(at));
  return end === null ? source.length : at + end.index + end[0].length;
}

function textOf(list: YAMLSeq): string {
  const matterDocument = new Document(new YAMLMap());
  matterDocument.set('examples', list);
  return matterDocument.toString({ lineWidth: 140 });
}
