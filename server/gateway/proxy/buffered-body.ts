import type { GatewayDialect } from '../../domain';
import type { Bodies } from './bodies';
import { Collector } from './collect';
import type { StreamReader } from '../dialects/dialect';
import { dialectOf } from '../dialects/dialects';
import { JsonView } from '../dialects/json-view';
import type { AnswerForm, BufferedAnswer, ParsedAnswer } from '../exchange';
import type { EnvelopeRequest } from '../verify/envelope-request';
import { mayBeEnvelope } from '../verify/unwrap';
import { unwrapAnswer } from '../verify/unwrap-answer';

/** Maximum text of a buffered answer, in bytes of UTF-8 (QV-17). */
export const BUFFERED_TEXT_BYTES_MAX = 1_048_576;
/** Largest single event, and largest unverified body, that is parsed on the event loop. */
const EVENT_BYTES_MAX = 1_048_576;
const PLAIN_BYTES_MAX = 512 * 1024;
/** Maximum raw bytes around the text: a frame per token, or the rest of a JSON body. */
const RAW_BYTES_MAX = {
  sse: 64 * 1024 * 1024,
  ndjson: 64 * 1024 * 1024,
  json: 16 * 1024 * 1024,
} as const;

/** An answer that is not delivered yet: its chunks in order and its text so far. */
export class BufferedBody {
  readonly chunks: Buffer[] = [];
  readonly form: AnswerForm;
  readonly #dialect: GatewayDialect;
  readonly #reader: StreamReader | null;
  readonly #asked: EnvelopeRequest | null;
  /** The body of an answer that is not a stream. */
  readonly #body: Collector;
  #bytes = 0;

  constructor(
    dialect: GatewayDialect,
    form: AnswerForm,
    envelopeRequest: EnvelopeRequest | null = null,
  ) {
    this.form = form;
    this.#asked = envelopeRequest;
    this.#dialect = dialect;
    this.#body = new Collector(RAW_BYTES_MAX.json);
    this.#reader = form === 'json' ? null : dialectOf(dialect).createReader();
  }

  /** False if a size limit is exceeded. The chunk is kept either way. */
  push(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > RAW_BYTES_MAX[this.form]) return false;
    if (this.#reader === null) {
      this.#body.add(chunk);
      return true;
    }
    this.#reader.push(chunk);
    return (
      this.#reader.textBytes <= BUFFERED_TEXT_BYTES_MAX && this.#reader.openBytes <= EVENT_BYTES_MAX
    );
  }

  /** The stream contains a tool call, so it is not a final answer even if it also contains text. */
  get callsTool(): boolean {
    return this.#reader?.callsTool === true;
  }

  /** The first token has arrived. */
  get begun(): boolean {
    return this.#reader?.begun === true;
  }

  /**
   * The answer may be an envelope, which the client did not request: nothing can be passed on until
   * it ends.
   */
  get mayBeEnvelope(): boolean {
    return (
      this.#asked !== null && (this.#reader === null || mayBeEnvelope(this.#reader.read().text))
    );
  }

  /**
   * The unverified answer: the original bytes, with an envelope replaced by its text. Null if
   * nothing can be delivered.
   */
  plain(): readonly Buffer[] | null {
    const envelopeRequest = this.#asked;
    if (envelopeRequest === null) return this.chunks;
    const dialect = dialectOf(this.#dialect);
    // Too large to parse here: deliverable only if it cannot be an envelope.
    const bytes =
      this.#reader === null ? this.#body.toBuffer() : Buffer.concat(this.chunks, this.#bytes);
    if (this.#reader === null && bytes.length > PLAIN_BYTES_MAX)
      return bytes.includes('facts') ? null : this.chunks;
    const read = this.#reader === null ? dialect.readAnswer(bytes) : this.#reader.read();
    // Truncated JSON may contain part of the envelope; any other body does not.
    if (read === null)
      return JsonView.parse(bytes) === null && bytes[0] === OPENING ? null : this.chunks;
    // The answer tool has been called and has no input yet.
    if (read.text === '' && !read.complete && this.begun && read.toolCalls.length === 0)
      return null;
    const plain = unwrapAnswer(
      { chunks: this.chunks, form: this.form, read },
      envelopeRequest,
      (whole, text) => dialect.withText(whole, text),
    );
    return plain === null ? null : plain.chunks;
  }

  /**
   * The complete answer, or why it cannot be verified; `error`: it is not in this API's format, or
   * the upstream reported a failure. A large JSON body is parsed in a thread.
   */
  async readAnswer(
    bodies: Bodies,
    projectId: string,
  ): Promise<BufferedAnswer | 'overflow' | 'error' | 'busy'> {
    const { form } = this;
    if (this.#reader !== null) {
      const { failed, lastEventAt } = this.#reader;
      const read = this.#reader.read();
      return failed
        ? 'error'
        : isLong(read)
          ? 'overflow'
          : { chunks: this.chunks, form, read, lastEventAt };
    }
    const body = this.#body.toBuffer();
    const outcome = await bodies.work('answer', { projectId, dialect: this.#dialect, body }, form);
    if (outcome.state !== 'done') return outcome.state === 'busy' ? 'busy' : 'overflow';
    const read = outcome.result;
    if (read === null) return 'error';
    return isLong(read) ? 'overflow' : { chunks: [body], form, read };
  }
}

const OPENING = 0x7b;

/** Whether these first bytes of a stream contain its first token. */
export function beginsIn(dialect: GatewayDialect, first: Buffer): boolean {
  const reader = dialectOf(dialect).createReader();
  reader.push(first);
  return reader.begun;
}

type StreamBytes = Pick<BufferedAnswer, 'chunks' | 'lastEventAt'>;

function findLastEvent(dialect: GatewayDialect, chunks: readonly Buffer[]): number | null {
  const reader = dialectOf(dialect).createReader();
  for (const chunk of chunks) reader.push(chunk);
  return reader.lastEventAt;
}

const isLong = ({ text }: ParsedAnswer): boolean =>
  text.length * 3 > BUFFERED_TEXT_BYTES_MAX && Buffer.byteLength(text) > BUFFERED_TEXT_BYTES_MAX;

/**
 * Inserts a comment before the last event of a stream. If there is no last event, the comment goes
 * first: anywhere else it might split an event.
 */
export function withComment(
  dialect: GatewayDialect,
  { chunks, lastEventAt }: StreamBytes,
  comment: Buffer,
): Buffer[] {
  let before = (lastEventAt === undefined ? findLastEvent(dialect, chunks) : lastEventAt) ?? 0;
  const out: Buffer[] = [];
  let placed = false;
  for (const chunk of chunks) {
    if (placed || before >= chunk.length) {
      out.push(chunk);
      before -= chunk.length;
      continue;
    }
    if (before > 0) out.push(chunk.subarray(0, before));
    out.push(comment, chunk.subarray(before));
    placed = true;
  }
  return placed ? out : [...out, comment];
}
