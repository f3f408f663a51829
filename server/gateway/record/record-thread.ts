import { packTurn } from '../../ingest';
import { type CallOpening, readOpening } from '../proxy/call-facts';
import type { Serve } from '../thread';
import { type CapturedCall, type ReadCapturedCall, readCapturedCall } from './read-captured';

/** A call to parse. Its bytes are shared and must not change. */
export interface RecordOrder {
  readonly opening: CallOpening;
  readonly body: Uint8Array;
  readonly call: Omit<CapturedCall, 'chunks'> & { readonly answer: Uint8Array };
}

/** Null if the call cannot be parsed because of `problem`. */
export interface RecordReport {
  readonly read: ReadCapturedCall | null;
  readonly problem: string | null;
}

/** Parses large calls for their record; each takes milliseconds to tens of milliseconds. */
export function serveRecords(): Serve<RecordOrder, RecordReport> {
  return ({ opening, body, call: { answer, ...facts } }, report) => {
    const captured = { ...facts, chunks: [asBuffer(answer)] };
    readCapturedCall(readOpening(opening, asBuffer(body)), captured, () => Promise.resolve()).then(
      (read) =>
        report({
          read: { ...read, turn: read.turn === null ? null : packTurn(read.turn) },
          problem: null,
        }),
      (error: unknown) =>
        report({ read: null, problem: error instanceof Error ? error.message : String(error) }),
    );
  };
}

/** A buffer arrives as a plain Uint8Array. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
