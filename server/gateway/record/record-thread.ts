import { packTurn } from '../../ingest';
import { type CallOpening, readOpening } from '../proxy/call-facts';
import type { Serve } from '../thread';
import { type CallData, type ReadCallData, readCallData } from './read-captured';

/** A call to be read. Its bytes are shared, and no one changes them. */
export interface RecordOrder {
  readonly opening: CallOpening;
  readonly body: Uint8Array;
  readonly data: Omit<CallData, 'chunks'> & { readonly answer: Uint8Array };
}

/** Null: it cannot be read, for a `problem`. */
export interface RecordReport {
  readonly read: ReadCallData | null;
  readonly problem: string | null;
}

/** Reads large calls for their record: each one takes milliseconds to tens of them. */
export function serveRecords(): Serve<RecordOrder, RecordReport> {
  return ({ opening, body, data: { answer, ...facts } }, report) => {
    const data = { ...facts, chunks: [asBuffer(answer)] };
    readCallData(readOpening(opening, asBuffer(body)), data, () => Promise.resolve()).then(
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

/** The same bytes: a buffer arrives as plain bytes. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
