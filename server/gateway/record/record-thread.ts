import { packTurn } from '../../ingest';
import { type CallOpening, readOpening } from '../proxy/call-facts';
import type { Serve } from '../thread';
import { type KeptCall, type ReadKept, readKept } from './read-captured';

/** A call to parse. Its bytes are shared and must not change. */
export interface RecordOrder {
  readonly opening: CallOpening;
  readonly body: Uint8Array;
  readonly kept: Omit<KeptCall, 'chunks'> & { readonly answer: Uint8Array };
}

/** Null: the call cannot be parsed because of `problem`. */
export interface RecordReport {
  readonly read: ReadKept | null;
  readonly problem: string | null;
}

/** Parses large calls for their record; each takes milliseconds to tens of milliseconds. */
export function serveRecords(): Serve<RecordOrder, RecordReport> {
  return ({ opening, body, kept: { answer, ...facts } }, report) => {
    const kept = { ...facts, chunks: [asBuffer(answer)] };
    readKept(readOpening(opening, asBuffer(body)), kept, () => Promise.resolve()).then(
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
