/**
 * The batches of Langfuse's ingestion API, which its SDKs before version 4 use: events that create
 * and update traces, observations and scores. Source: langfuse/langfuse, fern/apis/server,
 * ingestion.yml.
 */
import { intakeLimits, sliceItems, sliceMembers } from '../../domain';
import { invalid, notJson, tooLarge } from '../../platform';
import { isMap, readAttributeJson } from '../conventions/json-value';
import { attributeText, membersOf } from '../conventions/read-attribute';
import type { AttributeValue } from '../span';

export type Members = ReadonlyMap<string, AttributeValue>;

/** The object that an event describes. An observation has its type in `observation`. */
export type EventKind =
  | { readonly of: 'trace' }
  | { readonly of: 'score' }
  | { readonly of: 'log' }
  | { readonly of: 'observation'; readonly type: string | null; readonly isUpdate: boolean };

export interface BatchEvent {
  readonly kind: EventKind;
  readonly id: string;
  /** When the client sent it: nanoseconds since 1970, as decimal digits. */
  readonly timeNs: string;
  /** Numbers keep their digits. */
  readonly body: Members;
}

export interface BatchItem {
  readonly index: number;
  /** The event's id, or its place in the batch if it has none. */
  readonly id: string;
  readonly text: string;
  readonly event: BatchEvent | null;
  /** Why the event is refused; null where `event` is set. */
  readonly fault: string | null;
}

/** Thrown for a bad event: affects this event only. */
export class EventFault extends Error {}

const OBSERVATION =
  /^(span|generation|event|agent|tool|chain|retriever|evaluator|embedding|guardrail|observation)-(create|update)$/;

/**
 * Reads a batch. A bad event does not affect its neighbours.
 * @throws AssayError invalid_request (not a batch), too_large (more than 50,000 events)
 */
export function readBatch(body: Buffer): BatchItem[] {
  const text = body.toString('utf8');
  const batch = batchIn(text);
  const items = sliceItems(text, batch);
  if (items.length > intakeLimits.spansPerRequest)
    throw tooLarge(
      `the batch has more than ${intakeLimits.spansPerRequest} events; send fewer at once`,
    );
  return items.map(({ start, end }, index) => readItem(text.slice(start, end), index));
}

/** Where the list of events starts. */
function batchIn(text: string): number {
  try {
    JSON.parse(text);
  } catch {
    throw notJson('the body', text);
  }
  const slice = sliceMembers(text).get('batch');
  if (slice === undefined || text[slice.start] !== '[')
    throw invalid('batch: must be an array of events', [
      { path: 'batch', message: 'must be an array of events' },
    ]);
  return slice.start;
}

function readItem(text: string, index: number): BatchItem {
  const members = readAttributeJson(text);
  const id = (isMap(members) ? attributeText(members, 'id') : null) ?? `batch[${index}]`;
  try {
    return { index, id, text, event: readEvent(members, id), fault: null };
  } catch (error) {
    if (error instanceof EventFault) return { index, id, text, event: null, fault: error.message };
    throw error;
  }
}

function readEvent(members: AttributeValue | undefined, id: string): BatchEvent {
  if (members === undefined) throw new EventFault('the event nests deeper than 58 levels');
  if (!isMap(members)) throw new EventFault('an event must be an object');
  const body = members.get('body');
  const kind = kindOf(attributeText(members, 'type'), isMap(body) ? body : null);
  if (kind.of !== 'log' && !isMap(body)) throw new EventFault('body: must be an object');
  const timeNs = timeAt(members, 'timestamp');
  if (timeNs === null) throw new EventFault('timestamp: is required, as an ISO 8601 time');
  return { kind, id, timeNs, body: isMap(body) ? body : new Map() };
}

function kindOf(type: string | null, body: Members | null): EventKind {
  if (type === 'trace-create') return { of: 'trace' };
  if (type === 'score-create') return { of: 'score' };
  if (type === 'sdk-log') return { of: 'log' };
  const [, of, verb] = OBSERVATION.exec(type ?? '') ?? [];
  if (of === undefined)
    throw new EventFault(
      type === null
        ? 'type: is required, such as "trace-create"'
        : `type: "${type.slice(0, 100)}" is not supported; traces, observations and scores are`,
    );
  const named = body === null ? null : attributeText(body, 'type');
  return {
    of: 'observation',
    type: of === 'observation' ? (named?.toLowerCase() ?? null) : of,
    isUpdate: verb === 'update',
  };
}

const NS_PER_S = 1_000_000_000n;

/**
 * The time at `key` in nanoseconds since 1970; null where there is none. @throws EventFault for
 * anything but an ISO 8601 time since 1970
 */
export function timeAt(members: Members, key: string): string | null {
  const text = attributeText(members, key);
  if (text === null) return null;
  const ms = Date.parse(text);
  if (!Number.isFinite(ms) || ms < 0)
    throw new EventFault(`${key}: "${text.slice(0, 100)}" is not an ISO 8601 time since 1970`);
  const fraction = /:\d\d\.(\d+)/.exec(text)?.[1] ?? '';
  const ns = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return String(BigInt(Math.floor(ms / 1000)) * NS_PER_S + ns);
}

/** The members of an object at `key`, none where it is anything else. */
export function membersAt(members: Members, key: string): Members {
  return membersOf(members.get(key)) ?? new Map<string, AttributeValue>();
}
