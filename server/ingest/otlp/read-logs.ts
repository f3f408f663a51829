/**
 * Log records of an ExportLogsServiceRequest (opentelemetry/proto: logs/v1/logs.proto), from either
 * encoding as objects of OTLP/JSON. Their attributes and bodies have the form of a span's
 * attributes, and their values are kept as sent.
 */
import { intakeLimits } from '../../domain';
import { tooLarge } from '../../platform';
import { quoteLostNumbers } from './json-digits';
import { isJsonObject, type JsonObject, logFault, resourceFault, scopeFault } from './json-rules';
import { listIn, objectsOf, parseExport } from './read-json';
import { knownLog, knownResource, knownScope } from './known-members';
import { readLogsProto } from './read-logs-proto';
import type { RejectedSpan, SegmentFormat } from './segment';
import type { ByteRange } from './split';
import { layoutJson, logLists } from './split-json';

export interface LogRecord {
  /** Position among all records of the request, from 0. */
  readonly index: number;
  /** A LogRecord of OTLP/JSON that `logFault` accepts, with the members that OTLP knows. */
  readonly fields: JsonObject;
  /** Records of one group share this object. */
  readonly shared: LogShared;
}

/** Resource and scope of OTLP/JSON. */
export interface LogShared {
  readonly resource: unknown;
  readonly scope: unknown;
}

export interface LogsRead {
  readonly records: readonly LogRecord[];
  /** Number of log records, good or bad. */
  readonly count: number;
  readonly rejected: readonly RejectedSpan[];
}

/** A record before its check. `damage`: the reason why it could not be read. */
export interface RawLog {
  readonly fields: unknown;
  readonly shared: LogShared;
  readonly damage: string | null;
  /** Its own bytes, for a rejection. */
  readonly body: () => Buffer;
}

/**
 * Reads a request; a bad record never affects its neighbours.
 * @throws AssayError invalid_request (not an export request), too_large (more than 50,000 records)
 */
export function readLogs(body: Buffer, format: SegmentFormat): LogsRead {
  const records: LogRecord[] = [];
  const rejected: RejectedSpan[] = [];
  const groups = new Map<LogShared, Group>();
  let count = 0;
  const raws =
    body.length === 0 ? [] : format === 'proto' ? readLogsProto(body) : readLogsJson(body);
  for (const { fields, shared, damage, body: own } of raws) {
    const index = count++;
    if (index >= intakeLimits.spansPerRequest)
      throw tooLarge(
        `the request has more than ${intakeLimits.spansPerRequest} log records; send fewer at once`,
      );
    const group = groups.get(shared) ?? groupOf(shared);
    groups.set(shared, group);
    const reason = damage ?? group.fault ?? recordFault(fields);
    if (reason === null && isJsonObject(fields))
      records.push({ index, fields: knownLog(fields), shared: group.shared });
    else rejected.push({ index, message: reason ?? '', body: own() });
  }
  return { records, count, rejected };
}

function recordFault(fields: unknown): string | null {
  return isJsonObject(fields) ? logFault(fields) : 'a log record must be an object';
}

interface Group {
  /** Why none of its records can be accepted. */
  readonly fault: string | null;
  readonly shared: LogShared;
}

function groupOf({ resource, scope }: LogShared): Group {
  const fault = resourceFault(resource) ?? scopeFault(scope);
  return fault === null
    ? { fault, shared: { resource: knownResource(resource), scope: knownScope(scope) } }
    : { fault, shared: { resource: {}, scope: {} } };
}

function* readLogsJson(body: Buffer): Generator<RawLog> {
  const text = body.toString('utf8');
  const request = parseExport(text, 'ExportLogsServiceRequest');
  const sent = quoteLostNumbers(text);
  const exact = sent === text ? request : parseExport(sent, 'ExportLogsServiceRequest');
  let places: readonly ByteRange[] | null = null;
  let count = 0;
  for (const group of objectsOf(exact, 'resourceLogs')) {
    for (const member of objectsOf(group, 'scopeLogs')) {
      const shared = { resource: group.resource, scope: member.scope };
      for (const fields of listIn(member, 'logRecords')) {
        const index = count++;
        // JSON's structure is ASCII, so it is found in the bytes.
        const recordBytes = (): Buffer => {
          places ??= layoutJson(body.toString('latin1'), logLists).flatMap(({ scopes }) =>
            scopes.flatMap(({ spans }) => spans),
          );
          const place = places[index];
          if (place === undefined) throw new Error('the layout of a request does not match it');
          return body.subarray(place.start, place.end);
        };
        yield { fields, shared, damage: null, body: recordBytes };
      }
    }
  }
}
