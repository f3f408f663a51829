import { type Assay, createAssay } from '../client/index';
import { newUuid } from '../client/ids';
import { messageOf } from '../client/post';
import type { Turn } from '../client/turn';

/** Turns of wrapped clients: completed by the host's options, sampled, redacted and queued. */

/** The host's members of a turn. */
export type WrappedTurn = Pick<
  Turn,
  'session_id' | 'trace_id' | 'source' | 'tags' | 'metadata' | 'reference' | 'context'
>;

export interface WrapOptions {
  /** Sends the turns. Default: one client per process, with address and key of the environment. */
  assay?: Pick<Assay, 'turn'>;
  /**
   * Members of each turn: `{ session_id, source: 'support', metadata: { tier } }`. A function is
   * called as each request is sent, in the caller's own async context.
   */
  turn?: WrappedTurn | (() => WrappedTurn);
  /** Share of the calls that are recorded, 0 to 1 (1). Turns of a session are sampled together. */
  sampling?: number;
  /** The turn as sent; null if it is not sent. Nothing is sent if it throws. */
  redact?: (turn: Turn) => Turn | null;
}

export interface Recorder {
  /** Reads the host's members at the start of a call. */
  begin(): WrappedTurn;
  /** Never throws, and never waits. */
  record(hostMembers: WrappedTurn, buildTurn: () => Turn): void;
}

/** @throws TypeError for invalid options */
export function createRecorder(options: WrapOptions): Recorder {
  const { sampling = 1, turn: hostTurn = {}, redact } = options;
  if (typeof sampling !== 'number' || !(sampling >= 0 && sampling <= 1))
    throw new TypeError(`sampling: must be a number from 0 to 1, not ${String(sampling)}`);
  const assay = options.assay ?? sharedAssay();
  return {
    begin() {
      try {
        return typeof hostTurn === 'function' ? hostTurn() : hostTurn;
      } catch (error) {
        warnOnce('turn', `the option \`turn\` failed: ${messageOf(error)}`);
        return {};
      }
    },
    record(hostMembers, buildTurn) {
      try {
        if (sampling === 0) return;
        const built = buildTurn();
        const metadata = { ...hostMembers.metadata, ...built.metadata };
        const turn: Turn = {
          ...built,
          ...hostMembers,
          session_id: hostMembers.session_id ?? built.session_id ?? null,
          metadata,
        };
        if (sampling < 1 && shareOf(turn.session_id ?? newUuid()) >= sampling) return;
        const sent = redact === undefined ? turn : redact(turn);
        if (sent !== null) assay.turn(sent);
      } catch (error) {
        warnOnce('record', `a call was not recorded: ${messageOf(error)}`);
      }
    },
  };
}

/** 0 up to 1, the same for the same text: FNV-1a of 32 bits. */
function shareOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The last characters of names such as s-1 and s-2 would only change the low bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

let shared: Assay | null = null;

function sharedAssay(): Assay {
  shared ??= createAssay({
    onReject: ({ message }) => warnOnce('reject', `turns are refused: ${message}`),
    onDrop: ({ reason }) => warnOnce('drop', `turns are dropped: ${reason}`),
    onRetry: ({ message }) => warnOnce('retry', `turns are sent again later: ${message}`),
  });
  return shared;
}

const warned = new Set<string>();

/** A library has no logger of its own, and must not fill its host's. */
function warnOnce(about: string, message: string): void {
  if (warned.has(about)) return;
  warned.add(about);
  // oxlint-disable-next-line no-console -- the host has no other listener
  console.warn(`Assay: ${message}`);
}
