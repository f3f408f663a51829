import {
  lengthOf,
  type ByteRange,
  type ResourceLayout,
  type ResourcePart,
  type ScopeLayout,
} from './split';
import { enter, leave, type Reader, readerOf, skipOther } from './wire';

/**
 * The positions of the parts of an OTLP/protobuf request, including tag and length. Expects bytes
 * that `readProto` has accepted.
 */
export function layoutProto(body: Buffer): ResourceLayout[] {
  const layout: ResourceLayout[] = [];
  const reader = readerOf(body);
  walkFields(reader, (tag) => {
    if (tag !== 0x0a) return skipOther(reader, tag, 0);
    const outer = enter(reader);
    layout.push(locateResource(reader));
    leave(reader, outer);
  });
  return layout;
}

function locateResource(reader: Reader): ResourceLayout {
  const head: ByteRange[] = [];
  const scopes: ScopeLayout[] = [];
  walkFields(reader, (tag, start) => {
    if (tag === 0x12) {
      const outer = enter(reader);
      scopes.push(locateScope(reader));
      leave(reader, outer);
      return;
    }
    skipOther(reader, tag, 0);
    if (tag === 0x0a || tag === 0x1a) head.push({ start, end: reader.pos });
  });
  return { head, scopes };
}

function locateScope(reader: Reader): ScopeLayout {
  const head: ByteRange[] = [];
  const spans: ByteRange[] = [];
  walkFields(reader, (tag, start) => {
    skipOther(reader, tag, 0);
    if (tag === 0x12) spans.push({ start, end: reader.pos });
    else if (tag === 0x0a || tag === 0x1a) head.push({ start, end: reader.pos });
  });
  return { head, spans };
}

/** `start` is the offset of the field's tag. */
function walkFields(reader: Reader, visit: (tag: number, start: number) => void): void {
  while (reader.pos < reader.len) {
    const start = reader.pos;
    visit(reader.tag(), start);
  }
}

/** A span's own message, without the tag and length at the start of `place`. */
export function spanMessage(body: Buffer, place: ByteRange): Buffer {
  const reader = readerOf(body.subarray(place.start, place.end));
  reader.tag();
  return body.subarray(place.end - reader.size(), place.end);
}

/** One segment as protobuf bytes. */
export function joinProto(body: Buffer, parts: readonly ResourcePart[]): Buffer {
  const chunks: Buffer[] = [];
  for (const { head, scopes } of parts) {
    const groups = scopes.map((scope) => {
      const length = lengthOf(scope.head) + lengthOf(scope.spans);
      return { opening: openField(0x12, length), length, places: [...scope.head, ...scope.spans] };
    });
    const length = groups.reduce(
      (sum, each) => sum + each.opening.length + each.length,
      lengthOf(head),
    );
    chunks.push(
      openField(0x0a, length),
      ...head.map((place) => body.subarray(place.start, place.end)),
    );
    for (const { opening, places } of groups) {
      chunks.push(opening);
      for (const { start, end } of places) chunks.push(body.subarray(start, end));
    }
  }
  return Buffer.concat(chunks);
}

/** Tag and length of a message. */
function openField(tag: number, length: number): Buffer {
  const bytes = [tag];
  let remaining = length;
  for (; remaining > 127; remaining >>>= 7) bytes.push((remaining & 127) | 128);
  bytes.push(remaining);
  return Buffer.from(bytes);
}
