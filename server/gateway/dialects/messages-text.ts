import type { BufferedAnswer } from '../exchange';
import { ANSWER_NAME } from './chat-request';
import { JsonView } from './json-view';
import { changeEvents, type EventChange, readEvents, type SseEvent } from './sse';
import { applyEdits, type Edit, replaceValue } from './splice';

/**
 * Replaces the text of an Anthropic answer. The text goes into one block: the answer tool's, which
 * becomes a text block in an answer that ended its turn, or else the first text block. Other text
 * blocks are dropped, since the API rejects empty ones when the client sends them back; in a stream
 * the following blocks are renumbered.
 */

/** Null if there is no text block. */
export function withMessagesText(answer: BufferedAnswer, text: string): BufferedAnswer | null {
  const bytes = Buffer.concat(answer.chunks);
  const body = answer.form === 'json' ? withBodyText(bytes, text) : withStreamText(bytes, text);
  return body === null
    ? null
    : { chunks: [body], form: answer.form, read: { ...answer.read, text } };
}

function withBodyText(body: Buffer, text: string): Buffer | null {
  const root = JsonView.parse(body);
  const content = root?.at('content') ?? null;
  const blocks = content?.items() ?? [];
  const asTool = answerTool(blocks);
  const target = asTool ?? blocks.find((block) => block.stringAt('type') === 'text');
  const old = target?.at('text') ?? null;
  if (
    root === null ||
    content === null ||
    target === undefined ||
    (asTool === null && old === null)
  )
    return null;
  const blockTexts = blocks.flatMap((block) => {
    if (block !== target) return block.stringAt('type') === 'text' ? [] : [block.json()];
    if (old === null || asTool !== null) return [JSON.stringify({ type: 'text', text })];
    const edit = {
      start: old.start - block.start,
      end: old.end - block.start,
      json: JSON.stringify(text),
    };
    return [applyEdits(body.subarray(block.start, block.end), [edit]).toString()];
  });
  return applyEdits(body, [
    replaceValue(content, `[${blockTexts.join(',')}]`),
    ...(asTool === null ? [] : endsTurn(root)),
  ]);
}

/** The answer tool's call; null if none, or there are other calls too. */
function answerTool(blocks: readonly JsonView[]): JsonView | null {
  const [first, ...more] = blocks.filter((block) => block.stringAt('type') === 'tool_use');
  return first?.stringAt('name') === ANSWER_NAME && more.length === 0 ? first : null;
}

function endsTurn(holder: JsonView | null): Edit[] {
  const reason = holder?.at('stop_reason') ?? null;
  return reason?.string() === 'tool_use' ? [replaceValue(reason, '"end_turn"')] : [];
}

interface StreamPlan {
  readonly text: string;
  /** Index of the block that takes the text. */
  readonly target: number;
  /** New block indexes by old ones; null if dropped. */
  readonly numbers: ReadonlyMap<number, number | null>;
  readonly asTool: boolean;
  readonly firstDelta: SseEvent;
}

function withStreamText(stream: Buffer, text: string): Buffer | null {
  const events = readEvents(stream);
  const plan = planOf(events, text);
  if (plan === null) return null;
  const changes: EventChange[] = [];
  for (const event of events) {
    const edits = event.json === null ? [] : editsOf(event, event.json, plan);
    if (edits === 'gone') changes.push({ event, json: null });
    else if (edits.length > 0) changes.push({ event, json: applyEdits(event.data, edits) });
  }
  return changeEvents(stream, changes);
}

function planOf(events: readonly SseEvent[], text: string): StreamPlan | null {
  const begun = new Map<number, JsonView>();
  for (const { json } of events) {
    const block =
      json?.stringAt('type') === 'content_block_start' ? json.at('content_block') : null;
    if (json !== null && block !== null) begun.set(indexOf(json), block);
  }
  const tool = answerTool([...begun.values()]);
  const deltaType = tool === null ? 'text_delta' : 'input_json_delta';
  const firstDelta = events.find(({ json }) => {
    const block =
      json?.at('delta')?.stringAt('type') === deltaType ? begun.get(indexOf(json)) : undefined;
    return (
      block !== undefined && (tool === null ? block.stringAt('type') === 'text' : block === tool)
    );
  });
  if (firstDelta?.json == null) return null;
  const target = indexOf(firstDelta.json);
  const numbers = new Map<number, number | null>();
  let droppedCount = 0;
  for (const [index, block] of [...begun].toSorted(([a], [b]) => a - b)) {
    const isDropped = index !== target && block.stringAt('type') === 'text';
    numbers.set(index, isDropped ? null : index - droppedCount);
    if (isDropped) droppedCount++;
  }
  return { text, target, numbers, asTool: tool !== null, firstDelta };
}

function indexOf(event: JsonView): number {
  return event.at('index')?.count() ?? 0;
}

function editsOf(event: SseEvent, json: JsonView, plan: StreamPlan): Edit[] | 'gone' {
  const type = json.stringAt('type');
  if (type === 'message_delta') return plan.asTool ? endsTurn(json.at('delta')) : [];
  if (type === null || !type.startsWith('content_block_')) return [];
  const index = indexOf(json);
  const number = plan.numbers.get(index);
  if (number === null) return 'gone';
  const written = json.at('index');
  const edits =
    number !== undefined && number !== index && written !== null
      ? [replaceValue(written, String(number))]
      : [];
  if (index !== plan.target) return edits;
  const block = json.at('content_block');
  const delta = json.at('delta');
  if (block !== null) return [...edits, ...beginEdits(block, plan.asTool)];
  if (delta === null) return edits;
  if (event === plan.firstDelta)
    return [...edits, replaceValue(delta, JSON.stringify({ type: 'text_delta', text: plan.text }))];
  return delta.stringAt('type') === 'text_delta' || delta.stringAt('type') === 'input_json_delta'
    ? 'gone'
    : edits;
}

function beginEdits(block: JsonView, asTool: boolean): Edit[] {
  if (asTool) return [replaceValue(block, '{"type":"text","text":""}')];
  const text = block.at('text');
  return text === null ? [] : [replaceValue(text, '""')];
}
