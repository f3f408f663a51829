import type { BufferedAnswer } from '../exchange';
import { isGeminiText } from './gemini-request';
import { JsonView } from './json-view';
import { changeEvents, type EventChange, readEvents } from './sse';
import { applyEdits, type Edit, replaceValue } from './splice';

/**
 * Replaces the text of an answer of Google's generateContent. The first part with text gets all of
 * it; other text parts are dropped, except those with further members, such as a thought signature
 * that the client must send back. Objects of a stream that have nothing else are dropped.
 */

/** Null if there are several candidates, or no text in the first. */
export function withGeminiText(answer: BufferedAnswer, text: string): BufferedAnswer | null {
  const bytes = Buffer.concat(answer.chunks);
  const body = answer.form === 'json' ? withBodyText(bytes, text) : withStreamText(bytes, text);
  return body === null
    ? null
    : { chunks: [body], form: answer.form, read: { ...answer.read, text } };
}

function withBodyText(body: Buffer, text: string): Buffer | null {
  const root = JsonView.parse(body);
  const pieces = root?.isArray === true ? root.items() : root === null ? [] : [root];
  const edits: Edit[] = [];
  for (const piece of pieces) {
    const changed = pieceEdits(body, piece, edits.length === 0 ? text : '');
    if (changed === null) return null;
    edits.push(...changed);
  }
  return edits.length === 0 ? null : applyEdits(body, edits);
}

function withStreamText(stream: Buffer, text: string): Buffer | null {
  const changes: EventChange[] = [];
  for (const event of readEvents(stream)) {
    if (event.json === null) continue;
    const newText = changes.length === 0 ? text : '';
    const edits = pieceEdits(event.data, event.json, newText);
    if (edits === null) return null;
    if (edits.length === 0) continue;
    const stays = newText !== '' || hasOtherContent(event.json);
    changes.push({ event, json: stays ? applyEdits(event.data, edits) : null });
  }
  return changes.length === 0 ? null : changeEvents(stream, changes);
}

/** Empty if the object has no text, null if it has several candidates. */
function pieceEdits(source: Buffer, piece: JsonView, text: string): Edit[] | null {
  const candidates = piece.at('candidates')?.items() ?? [];
  const [candidate] = candidates;
  if (candidates.length > 1 || (candidate?.at('index')?.count() ?? 0) > 0) return null;
  const list = candidate?.at('content')?.at('parts') ?? null;
  const parts = list?.items() ?? [];
  const first = parts.findIndex((part) => isText(part) && part.stringAt('text') !== '');
  if (candidate === undefined || list === null || first === -1) return [];
  const partTexts = parts.flatMap((part, n) => {
    if (!isText(part)) return [part.json()];
    if (n === first && text !== '') return [partWith(source, part, text)];
    return part.size > 1 ? [partWith(source, part, '')] : [];
  });
  return [
    replaceValue(list, `[${(partTexts.length === 0 ? ['{"text":""}'] : partTexts).join(',')}]`),
    ...withoutProbabilities(candidate),
  ];
}

const isText = (part: JsonView): boolean => isGeminiText(part.plain());

function partWith(source: Buffer, part: JsonView, text: string): string {
  const old = part.at('text');
  if (old === null) return part.json();
  const [start, end] = [old.start - part.start, old.end - part.start];
  const edit = { start, end, json: JSON.stringify(text) };
  return applyEdits(source.subarray(part.start, part.end), [edit]).toString();
}

/** The log probabilities belong to the old text. */
function withoutProbabilities(candidate: JsonView): Edit[] {
  return ['avgLogprobs', 'logprobsResult'].flatMap((name) => {
    const value = candidate.at(name);
    return value === null || value.isNull ? [] : [replaceValue(value, 'null')];
  });
}

/** Every object of a stream repeats the usage and the model, which do not count. */
function hasOtherContent(piece: JsonView): boolean {
  const candidate = piece.at('candidates')?.item(0) ?? null;
  const parts = candidate?.at('content')?.at('parts')?.items() ?? [];
  return (
    candidate?.stringAt('finishReason') != null ||
    parts.some((part) => !isText(part) || part.size > 1)
  );
}
