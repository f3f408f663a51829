import { sliceItems, sliceMembers } from '../../domain';
import { chatMessages, plainText, type RunItem } from './run-item';

/** A target's answer for one row. */
export interface RunOutput {
  /** JSON text; a string, or any other value. */
  readonly output: string;
  /** JSON text of the tools that the target used; null means those of the item. */
  readonly tools: string | null;
  readonly model: string | null;
  readonly costUsd: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

export interface OutputOf {
  readonly turnId: string;
  readonly experimentId: string;
  readonly repetition: number;
  readonly item: RunItem;
}

/**
 * The JSON text of the turn with one output, as `POST /v1/turns` takes it. The item's own texts are
 * copied as is, so that figures keep their digits.
 */
export function outputTurn(of: OutputOf, output: RunOutput): string {
  const { item } = of;
  const members: [string, string][] = [
    ['id', JSON.stringify(of.turnId)],
    ['source', '"experiment"'],
    ['input', chatMessages(item.input) === null ? textJson(item.input) : item.input],
    ['output', textJson(output.output)],
  ];
  const add = (name: string, json: string | null): void => {
    if (json !== null) members.push([name, json]);
  };
  add('tools', listJson(output.tools ?? item.tools));
  add('context', blocksJson(item.context));
  add('reference', item.reference);
  add('model', output.model === null ? null : JSON.stringify(output.model));
  add('cost_usd', output.costUsd === null ? null : JSON.stringify(output.costUsd));
  add('tokens', output.tokens === null ? null : JSON.stringify(output.tokens));
  add('started_at', output.startedAt === null ? null : JSON.stringify(output.startedAt));
  add('ended_at', output.endedAt === null ? null : JSON.stringify(output.endedAt));
  add('tags', item.tags.length === 0 ? null : JSON.stringify(item.tags));
  members.push(['metadata', metadataJson(of)]);
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/** A JSON string: another value as its JSON text. */
const textJson = (json: string): string => JSON.stringify(plainText(json));

const listJson = (json: string | null): string | null =>
  json === null || json.startsWith('[') ? json : `[${json}]`;

/** Context blocks: a text, or a list of texts or of other values, becomes a block each. */
function blocksJson(json: string | null): string | null {
  if (json === null) return null;
  const items = json.startsWith('[')
    ? sliceItems(json).map(({ start, end }) => json.slice(start, end))
    : [json];
  const isBlock = (text: string): boolean =>
    text.startsWith('{') && sliceMembers(text).has('content');
  return `[${items
    .map((text, n) => (isBlock(text) ? text : `{"id":"context-${n + 1}","content":${text}}`))
    .join(',')}]`;
}

function metadataJson({ experimentId, repetition, item }: OutputOf): string {
  const origin = `"experiment":${JSON.stringify({ id: experimentId, item: item.id, repetition })}`;
  if (item.metadata?.startsWith('{') !== true) return `{${origin}}`;
  const rest = [...sliceMembers(item.metadata)]
    .filter(([name]) => name !== 'experiment')
    .map(
      ([name, { start, end }]) =>
        `${JSON.stringify(name)}:${item.metadata?.slice(start, end) ?? ''}`,
    );
  return `{${[...rest, origin].join(',')}}`;
}
