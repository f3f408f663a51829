import { isUtf8 } from 'node:buffer';
import type { Span } from '../span';
import { decodeJson } from './decode-json';
import { decodeProto } from './decode-proto';
import type { SegmentFormat } from './segment';

/**
 * The spans of a segment, in order. The same data decodes to equal spans from either format; spans
 * that `readExport` rejects are omitted.
 * @throws AssayError invalid_request for a body that is not an export request (`readExport` never
 * produces one)
 */
export function decodeSegment(format: SegmentFormat, body: Buffer | string): Span[] {
  if (format === 'proto')
    return decodeProto(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
  if (typeof body === 'string') return decodeJson(body, false);
  return decodeJson(body.toString('utf8'), !isUtf8(body));
}
