/**
 * Log records of an ExportLogsServiceRequest (opentelemetry/proto: logs/v1/logs.proto), from either
 * encoding as objects of OTLP/JSON. Their attributes and bodies have the form of a span's
 * attributes, and are kept as sent.
 */
import { intakeLimits } from '../../domain';
import { tooLarge } from '../../platform';
import { quoteLostNumbers } from './json-digits';
import { isJsonObject, type JsonObject, logFault, resourceFault, scopeFault } from './json-rules';
import { listIn, objectsOf, parseExport } from './read-json';
import { readLogsProto } from './read-logs-proto';
import type { RejectedSpan, SegmentFormat } from './segment';

export interface LogRecord {
  /** Position among all records of the request, from 0. */
  readonly index: number;
  /** A LogRecord of OTLP/JSON that `logFault` accepts. */
  readonly fields: JsonObject;
  /** Resource and scope as sent; records of one group share these objects. */
  readonly shared: LogShared;
}

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
  const faults = new Map<LogShared, string | null>();
  let count = 0;
  const raws =
    body.length === 0 ? [] : format === 'proto' ? readLogsProto(body) : readLogsJson(body);
  for (const { fields, shared, damage, body: own } of raws) {
    const index = count++;
    if (index >= intakeLimits.spansPerRequest)
      throw tooLarge(
        `the request has more than ${intakeLimits.spansPerRequest} log records; send fewer at once`,
      );
    const known = faults.get(shared);
    const ofShared =
      known === undefined ? (resourceFault(shared.resource) ?? scopeFault(shared.scope)) : known;
    faults.set(shared, ofShared);
    if (damage === null && ofShared === null && isJsonObject(fields) && logFault(fields) === null)
      records.push({ index, fields, shared });
    else rejected.push({ index, message: reasonOf(fields, ofShared ?? damage), body: own() });
  }
  return { records, count, rejected };
}

function reasonOf(fields: unknown, known: string | null): string {
  if (known !== null) return known;
  return isJsonObject(fields)
    ? (logFault(fields) ?? 'the log record is not readable')
    : 'a log record must be an object';
}

function* readLogsJson(body: Buffer): Generator<RawLog> {
  const text = body.toString('utf8');
  const request = parseExport(text, 'ExportLogsServiceRequest');
  const sent = quoteLostNumbers(text);
  const exact = sent === text ? request : parseExport(sent, 'ExportLogsServiceRequest');
  for (const group of objectsOf(exact, 'resourceLogs')) {
    for (const member of objectsOf(group, 'scopeLogs')) {
      const shared = { resource: group.resource, scope: member.scope };
      for (const fields of listIn(member, 'logRecords'))
        yield { fields, shared, damage: null, body: () => Buffer.from(JSON.stringify(fields)) };
    }
  }
}
