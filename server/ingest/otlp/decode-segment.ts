import { isUtf8 } from 'node:buffer';
import type { Span } from '../span';
import { decodeJson } from './decode-json';
import { decodeProto } from './decode-proto';
import type { SegmentFormat } from './segment';

/**
 * The spans of a segment, in the order in which they stand. The same data gives equal spans from
 * either format; a span that `readExport` rejects is not among them.
 * @throws AssayError invalid_request for a body that is no export request (`readExport` gives none
 * such)
 */
export function decodeSegment(format: SegmentFormat, body: Buffer | string): Span[] {
  if (format === 'proto')
    return decodeProto(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
  if (typeof body === 'string') return decodeJson(body, false);
  return decodeJson(body.toString('utf8'), !isUtf8(body));
}
