import type { GatewayDialect } from '../../domain';
import type { Bodies } from './bodies';
import { Collector } from './collect';
import type { StreamReader } from '../dialects/dialect';
import { dialectOf } from '../dialects/dialects';
import { JsonView } from '../dialects/json-view';
import type { BufferedAnswer, ReadAnswer } from '../exchange';
import type { EnvelopeAsked } from '../verify/envelope-request';
import { mayBeEnvelope } from '../verify/unwrap';
import { unwrapAnswer } from '../verify/unwrap-answer';

/**
 * Text of an answer that is held, in bytes of UTF-8: exactly so much is held, a byte more is not
 * (QV-17).
 */
export const HELD_TEXT_BYTES_MAX = 1_048_576;
/**
 * One event of a stream is read at once, on the event loop; so is a body that goes out unverified.
 */
const EVENT_BYTES_MAX = 1_048_576;
const PLAIN_BYTES_MAX = 512 * 1024;
/** What the text is wrapped in: a frame for each word, or what an answer has next to its text. */
const RAW_BYTES_MAX = { sse: 64 * 1024 * 1024, json: 16 * 1024 * 1024 } as const;

/** An answer that is not delivered yet: its bytes in order, and how far it reads. */
export class BufferedBody {
  readonly chunks: Buffer[] = [];
  readonly form: 'sse' | 'json';
  readonly #dialect: GatewayDialect;
  readonly #reader: StreamReader | null;
  readonly #asked: EnvelopeAsked | null;
  /** A body that is no stream. */
  readonly #body: Collector;
  #bytes = 0;

  constructor(dialect: GatewayDialect, form: 'sse' | 'json', asked: EnvelopeAsked | null = null) {
    this.form = form;
    this.#asked = asked;
    this.#dialect = dialect;
    this.#body = new Collector(RAW_BYTES_MAX.json);
    this.#reader = form === 'sse' ? dialectOf(dialect).createReader() : null;
  }

  /**
   * False: more than is held, or than is read at once. The chunk is kept all the same, in its
   * place.
   */
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
      this.#reader.textBytes <= HELD_TEXT_BYTES_MAX && this.#reader.openBytes <= EVENT_BYTES_MAX
    );
  }

  /** A stream in which the model calls a tool: no final answer, whatever text is next to it. */
  get callsTool(): boolean {
    return this.#reader?.callsTool === true;
  }

  /** The first token has come. */
  get begun(): boolean {
    return this.#reader?.begun === true;
  }

  /**
   * It may be an envelope, which no one but the gateway asked for: until its end nothing of it can
   * be passed on.
   */
  get mayBeEnvelope(): boolean {
    return (
      this.#asked !== null && (this.#reader === null || mayBeEnvelope(this.#reader.read().text))
    );
  }

  /**
   * What goes out unverified: the bytes as they came, with an envelope's text in its place. Null:
   * nothing of it can go out.
   */
  plain(): readonly Buffer[] | null {
    const asked = this.#asked;
    if (asked === null) return this.chunks;
    const dialect = dialectOf(this.#dialect);
    // Without the words of an envelope it is none. One that takes too long to read does not go out.
    const bytes =
      this.#reader === null ? this.#body.whole() : Buffer.concat(this.chunks, this.#bytes);
    if (this.#reader === null && bytes.length > PLAIN_BYTES_MAX)
      return bytes.includes('facts') ? null : this.chunks;
    const read = this.#reader === null ? dialect.readAnswer(bytes) : this.#reader.read();
    // A body of JSON that was cut holds a piece of the envelope; any other is none.
    if (read === null)
      return JsonView.parse(bytes) === null && bytes[0] === OPENING ? null : this.chunks;
    // The tool that stands for the answer has been called, and nothing was put into it yet.
    if (read.text === '' && !read.complete && this.begun && read.toolCalls.length === 0)
      return null;
    const plain = unwrapAnswer(
      { chunks: this.chunks, form: this.form, read },
      asked,
      (whole, text) => dialect.withText(whole, text),
    );
    return plain === null ? null : plain.chunks;
  }

  /**
   * The whole answer, or why it cannot be verified; `error`: it is none of this API, or one that
   * says that it failed. A large body that is no stream is read in a thread.
   */
  async whole(
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
    const body = this.#body.whole();
    const outcome = await bodies.work('answer', { projectId, dialect: this.#dialect, body }, form);
    if (outcome.state !== 'done') return outcome.state === 'busy' ? 'busy' : 'overflow';
    const read = outcome.result;
    if (read === null) return 'error';
    return isLong(read) ? 'overflow' : { chunks: [body], form, read };
  }
}

const OPENING = 0x7b;

/** Whether the first token of a stream is in these bytes of its beginning. */
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

const isLong = ({ text }: ReadAnswer): boolean =>
  text.length * 3 > HELD_TEXT_BYTES_MAX && Buffer.byteLength(text) > HELD_TEXT_BYTES_MAX;

/**
 * A stream's bytes with a comment before its last event. Where no last event is seen the comment
 * is first: anywhere else it might fall into the middle of an event.
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
