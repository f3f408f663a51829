import { invalid } from '../../platform';
import { isJsonObject, type JsonObject, resourceFault, scopeFault, spanFault } from './json-rules';
import { isNoParent, parentIsRemote, traceIdOf } from './span-rules';
import { countFault, countSpan, createSpanTally, type Tally } from './tally';

/**
 * Parses an export request. A byte order mark, comments, bytes after the end and other encodings
 * are not JSON; of a duplicate key the last counts.
 * @throws AssayError invalid_request
 */
export function parseExport(text: string, type = 'ExportTraceServiceRequest'): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(
      `the body is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'}`,
    );
  }
  if (!isJsonObject(value)) throw invalid(`the body must be an ${type}, which is an object`);
  return value;
}

type GroupList = 'resourceSpans' | 'scopeSpans' | 'resourceLogs' | 'scopeLogs';

/**
 * The list `name` of `owner`; missing is empty.
 * @throws AssayError invalid_request
 */
export function listIn(
  owner: JsonObject,
  name: GroupList | 'spans' | 'logRecords',
): readonly unknown[] {
  const list = owner[name];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list))
    throw invalid(`${name}: must be an array`, [{ path: name, message: 'must be an array' }]);
  return list;
}

/**
 * The objects of the list `name` of `owner`.
 * @throws AssayError invalid_request
 */
export function objectsOf(owner: JsonObject, name: GroupList): readonly JsonObject[] {
  const list = listIn(owner, name);
  if (!list.every(isJsonObject))
    throw invalid(`${name}: must be an array of objects`, [
      { path: name, message: 'must be an array of objects' },
    ]);
  return list;
}

/**
 * First pass over an OTLP/JSON request.
 * @throws AssayError invalid_request (the body as a whole), too_large
 */
export function readExportJson(text: string): Tally {
  const tally = createSpanTally();
  for (const resource of objectsOf(parseExport(text), 'resourceSpans')) {
    const ofResource = resourceFault(resource.resource);
    for (const scope of objectsOf(resource, 'scopeSpans')) {
      const shared = ofResource ?? scopeFault(scope.scope);
      for (const span of listIn(scope, 'spans')) countJson(tally, span, shared);
    }
  }
  return tally;
}

function countJson(tally: Tally, span: unknown, shared: string | null): void {
  if (!isJsonObject(span)) {
    countFault(tally, 'a span must be an object');
    return;
  }
  const fault = shared ?? spanFault(span);
  if (fault === null)
    countSpan(
      tally,
      traceIdOf(span.traceId) ?? '',
      isNoParent(span.parentSpanId) || parentIsRemote(Number(span.flags ?? 0)),
    );
  else countFault(tally, fault);
}
