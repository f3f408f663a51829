import { type Asks, isIntricate, acceptsRule } from './asks';
import type { EnvelopeShape, ReadRequest } from './dialect';
import { JsonView } from './json-view';
import { hasMember, partsOf, textOfPart } from './parts';
import { isOffered, messagesOf, type Spoken, type SpokenToolCall, toolsOf } from './spoken';
import { appendItems, applyEdits, type Edit, prependItem, setMembers } from './splice';

/**
 * Requests of Google's generateContent (https://ai.google.dev/api/generate-content): `{contents:
 * [{role: user | model, parts}], systemInstruction?: {parts}, tools?, generationConfig?:
 * {responseMimeType?, responseSchema?, responseJsonSchema?, candidateCount?}}`. A part is `{text,
 * thought?}`, `{functionCall: {id?, name, args}}`, `{functionResponse: {id?, name, response}}` or
 * data. Names in snake case are accepted as well, and one object instead of a list of one.
 */

/** Null if it is not a request of this API. */
export function readGeminiRequest(body: Buffer, earlier = false): ReadRequest | null {
  const root = JsonView.parse(body);
  const contents = root?.at('contents');
  if (root == null || contents == null || !isList(contents)) return null;
  const system = textOfParts(member(root, 'systemInstruction')?.at('parts') ?? null);
  const conversation: Spoken[] = system === '' ? [] : [{ role: 'system', text: system }];
  for (const content of contents.isArray ? contents.items() : [contents])
    conversation.push(...readContent(content));
  return {
    model: null,
    stream: false,
    messages: messagesOf(conversation),
    tools: toolsOf(conversation, earlier),
    documents: [],
    ...asksOf(root),
  };
}

const isList = (list: JsonView): boolean => list.isArray || list.isObject;

/** The member by its name in camel case, else in snake case. */
function member(object: JsonView | null, name: string): JsonView | null {
  return object?.at(name) ?? object?.at(inSnakeCase(name)) ?? null;
}

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

function asksOf(root: JsonView): Asks {
  const config = member(root, 'generationConfig');
  const mimeType = member(config, 'responseMimeType')?.string() ?? 'text/plain';
  const schemas = ['responseSchema', 'responseJsonSchema'].map((name) => member(config, name));
  return {
    offersTools: isOffered(root.at('tools')),
    asksShape: mimeType !== 'text/plain' || schemas.some((schema) => schema?.isObject === true),
    choices: member(config, 'candidateCount')?.count() ?? 1,
  };
}

/**
 * Function responses become tool entries. Other text in the same content is not new user input.
 */
function readContent(content: JsonView): Spoken[] {
  const list = content.at('parts');
  const text = textOfParts(list);
  if (content.stringAt('role') === 'model')
    return [{ role: 'assistant', text, calls: geminiCalls(list) }];
  const results = functionParts(list, 'functionResponse').map(
    (response): Spoken => ({
      role: 'tool',
      text: '',
      result: {
        id: response.stringAt('id') ?? '',
        name: response.stringAt('name'),
        text: response.at('response')?.json() ?? '',
      },
    }),
  );
  if (results.length === 0) return [{ role: 'user', text }];
  return text === '' ? results : [...results, { role: 'tool', text }];
}

/** The function calls in a list of parts. */
export function geminiCalls(list: JsonView | null): SpokenToolCall[] {
  return functionParts(list, 'functionCall').map((call) => ({
    id: call.stringAt('id') ?? '',
    name: call.stringAt('name') ?? '',
    arguments: call.at('args')?.json() ?? '{}',
  }));
}

function functionParts(list: JsonView | null, name: string): JsonView[] {
  const snake = inSnakeCase(name);
  return geminiParts(list).flatMap((part, n) => {
    if (!hasMember(part, name) && !hasMember(part, snake)) return [];
    return member(list?.isArray === true ? list.item(n) : list, name) ?? [];
  });
}

/** The parts of a content as plain values. */
export function geminiParts(list: JsonView | null): readonly unknown[] {
  return list?.isObject === true ? [list.plain()] : partsOf(list);
}

/** Whether a part is text of the answer, and not a thought. */
export function isGeminiText(part: unknown): boolean {
  const isThought = hasMember(part, 'thought') && part.thought === true;
  return textOfPart(part, 'text') !== null && !isThought;
}

/** Maximum number of parts without text that are named in brackets. */
const NAMED_MAX = 1_000;
const functionNames = ['functionCall', 'function_call', 'functionResponse', 'function_response'];

/** Texts of parts, one line each. Data becomes its kind in brackets; thoughts are skipped. */
function textOfParts(list: JsonView | null): string {
  const lines: string[] = [];
  let named = 0;
  for (const part of geminiParts(list)) {
    const text = textOfPart(part, 'text');
    const isData = text === null && !functionNames.some((name) => hasMember(part, name));
    if (text !== null && text !== '' && isGeminiText(part)) lines.push(text);
    else if (isData && typeof part === 'object' && part !== null && ++named <= NAMED_MAX)
      lines.push(`[${Object.keys(part)[0] ?? 'part'}]`);
  }
  return lines.join('\n');
}

/** Appends contents with one text each; null if it is not a request of this API. */
export function appendContents(
  body: Buffer,
  contents: readonly { readonly role: string; readonly text: string }[],
): Buffer | null {
  const list = isIntricate(body) ? null : (JsonView.parse(body)?.at('contents') ?? null);
  if (list === null || !isList(list)) return null;
  const items = contents.map(({ role, text }) => JSON.stringify({ role, parts: [{ text }] }));
  return applyEdits(body, appendTo(list, items));
}

function appendTo(list: JsonView, items: readonly string[]): Edit[] {
  if (list.isArray) return [appendItems(list, items)];
  const { start, end } = list;
  return [
    { start, end: start, json: '[' },
    { start: end, end, json: `,${items.join(',')}]` },
  ];
}

/**
 * Appends a part to the system instruction, since this API has no system messages. Null if it is
 * not a request of this API.
 */
export function withInstruction(body: Buffer, message: string): Buffer | null {
  const root = isIntricate(body) ? null : JsonView.parse(body);
  const contents = root?.at('contents') ?? null;
  if (root == null || contents === null || !isList(contents)) return null;
  const part = JSON.stringify({ text: message });
  const systemInstruction = member(root, 'systemInstruction');
  if (systemInstruction === null)
    return applyEdits(body, setMembers(root, [['systemInstruction', `{"parts":[${part}]}`]]));
  const parts = systemInstruction.at('parts');
  return parts === null || !isList(parts) ? null : applyEdits(body, appendTo(parts, [part]));
}

/**
 * Adds the rule as the first part of the system instruction, and the schema to `generationConfig`
 * (INT-17).
 */
export function withGeminiRule(
  body: Buffer,
  rule: string,
  schema: object | null,
  shape: EnvelopeShape,
): Buffer | null {
  const root = JsonView.parse(body);
  const contents = root?.at('contents') ?? null;
  if (root === null || contents === null || !isList(contents)) return null;
  if (!acceptsRule(asksOf(root), contents.items().length)) return null;
  const edits: Edit[] = [];
  const members: [string, string][] = [];
  const systemInstruction = member(root, 'systemInstruction');
  const parts = systemInstruction?.at('parts') ?? null;
  if (systemInstruction === null)
    members.push(['systemInstruction', JSON.stringify({ parts: [{ text: rule }] })]);
  else if (parts?.isArray === true) edits.push(prependItem(parts, JSON.stringify({ text: rule })));
  else return null;
  if (schema !== null && shape === 'json_schema') {
    const format: [string, string][] = [
      ['responseMimeType', '"application/json"'],
      ['responseJsonSchema', JSON.stringify(schema)],
    ];
    const config = member(root, 'generationConfig');
    if (config?.isObject === true) edits.push(...formatEdits(config, format));
    else
      members.push([
        'generationConfig',
        `{${format.map(([name, json]) => `"${name}":${json}`).join(',')}}`,
      ]);
  }
  return applyEdits(body, [...edits, ...setMembers(root, members)]);
}

/** A member may be there in snake case; `text/plain` is replaced in place. */
function formatEdits(config: JsonView, format: readonly [string, string][]): Edit[] {
  return setMembers(
    config,
    format.map(([name, json]) => [
      config.at(inSnakeCase(name)) === null ? name : inSnakeCase(name),
      json,
    ]),
  );
}
