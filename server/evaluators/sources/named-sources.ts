import {
  cleanText,
  isJsonContainer,
  sliceItems,
  sliceMembers,
  type SourceSettings,
  type TurnContent,
} from '../../domain';
import { namedBlocks, turnBegin } from './named-blocks';

type Message = TurnContent['input'][number];
type Block = TurnContent['context'][number];

/** A message with its content besides text. */
interface ReadMessage {
  readonly role: string;
  readonly content: string;
  /** Results of tools: ids may be empty. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
  readonly documents: readonly { readonly title: string | null; readonly text: string }[];
}

/**
 * The turn with the parts of its messages that the settings name as further context blocks, parsed
 * as the gateway parses a request. A part that equals an existing source of the turn is omitted.
 */
export function withNamedSources(turn: TurnContent, settings: SourceSettings): TurnContent {
  const { blocks, documents: takesDocuments, earlier_messages: earlier } = settings;
  if (blocks.length === 0 && !takesDocuments && !earlier) return turn;
  const messages = turn.input.flatMap(readMessage);
  const begin = earlier ? 0 : turnBegin(messages);
  const named = namedBlocks(messages, settings);
  for (const [at, { results, documents }] of messages.entries()) {
    if (earlier)
      named.push(
        ...results.map(({ id, text }, n) => ({ id: id || `message[${at}].result[${n}]`, text })),
      );
    if (!takesDocuments || at < begin) continue;
    named.push(
      ...documents.map(({ title, text }, n) => ({
        id: title ?? `message[${at}].document[${n}]`,
        text,
      })),
    );
  }
  const known = new Set([
    ...turn.tools.map(({ result }) => result),
    ...turn.context.map(({ content }) => content),
  ]);
  const added: Block[] = [];
  for (const { id, text } of named) {
    const content = cleanText(text).text;
    if (content.trim() === '' || known.has(content)) continue;
    known.add(content);
    added.push({
      id: cleanText(id).text.slice(0, ID_CHARS),
      content,
      format: isJsonContainer(content) ? 'json' : 'text',
    });
  }
  return added.length === 0 ? turn : { ...turn, context: [...turn.context, ...added] };
}

const ID_CHARS = 200;
/** The gateway stores the result of a tool as a message with this prefix. */
const STORED_RESULT = /^\[tool result(?: ([^\]\n]{1,200}))?\] /;

/**
 * One message, or two if tool results are among a user's words: text next to results is not a new
 * message of the user.
 */
function readMessage({ role, content, format }: Message): ReadMessage[] {
  const plain = { results: [], documents: [] };
  if (role === 'tool' || role === 'function') {
    const label = STORED_RESULT.exec(content);
    const text = format === 'json' ? textOfContent(content) : content.slice(label?.[0].length ?? 0);
    return [
      { role: 'tool', content: '', results: [{ id: label?.[1] ?? '', text }], documents: [] },
    ];
  }
  const speaker = role === 'developer' ? 'system' : role;
  if (format !== 'json' || !content.startsWith('[')) return [{ role: speaker, content, ...plain }];
  const parts = sliceItems(content).map(({ start, end }) => readPart(content.slice(start, end)));
  const text = parts.flatMap((part) => part.text ?? []).join('\n');
  const results = parts.flatMap((part) => part.result ?? []);
  const documents = parts.flatMap((part) => part.document ?? []);
  if (results.length === 0) return [{ role: speaker, content: text, results, documents }];
  return [{ role: 'tool', content: text, results, documents }];
}

interface Part {
  readonly text?: string;
  readonly result?: { readonly id: string; readonly text: string };
  readonly document?: { readonly title: string | null; readonly text: string };
}

/**
 * A part of a content, JSON text: text of any API, or a block `tool_result`, `document` or
 * `search_result` of Anthropic's messages.
 */
function readPart(json: string): Part {
  if (json.startsWith('"')) return { text: stringOf(json) ?? '' };
  if (!json.startsWith('{')) return {};
  const member = memberReader(json);
  const type = stringOf(member('type')) ?? '';
  if (type.endsWith('tool_result')) {
    return {
      result: {
        id: stringOf(member('tool_use_id')) ?? '',
        text: textOfContent(member('content') ?? '""'),
      },
    };
  }
  if (type === 'document' || type === 'search_result') {
    const text =
      type === 'search_result'
        ? textOfContent(member('content') ?? '""')
        : textOfDocument(member('source'));
    return text.trim() === '' ? {} : { document: { title: stringOf(member('title')), text } };
  }
  const text = stringOf(member('text'));
  return text === null ? {} : { text };
}

/** `{type: "text", data}` or `{type: "content", content}`; a PDF has no readable text. */
function textOfDocument(source: string | null): string {
  if (source?.startsWith('{') !== true) return '';
  const member = memberReader(source);
  return stringOf(member('type')) === 'text'
    ? (stringOf(member('data')) ?? '')
    : textOfContent(member('content') ?? '""');
}

/**
 * A string, or the texts of parts, a line each; anything else is its JSON text, with digits as
 * sent.
 */
function textOfContent(json: string): string {
  if (json.startsWith('"')) return stringOf(json) ?? '';
  if (!json.startsWith('[')) return json === 'null' ? '' : json;
  const texts = sliceItems(json).map(({ start, end }) => readPart(json.slice(start, end)).text);
  return texts.some((text) => text === undefined) ? json : texts.join('\n');
}

function memberReader(json: string): (name: string) => string | null {
  const members = sliceMembers(json);
  return (name) => {
    const slice = members.get(name);
    return slice === undefined ? null : json.slice(slice.start, slice.end);
  };
}

/** Null if it is not a string. */
function stringOf(json: string | null): string | null {
  return json?.startsWith('"') === true ? (JSON.parse(json) as string) : null;
}
