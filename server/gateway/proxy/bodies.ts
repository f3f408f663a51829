import type { GatewayDialect } from '../../domain';
import { AssayError, type Ctx } from '../../platform';
import { createPool, OverBudget, type Served } from '../../pool';
import type { RequestHints } from '../dialects/dialect';
import { dialectOf, readChunks } from '../dialects/dialects';
import { readWithSources } from '../dialects/named-sources';
import { readRecent } from '../dialects/read-recent';
import type { AnswerForm, ParsedAnswer } from '../exchange';
import { type AnsweredExchange, turnFactsOf } from '../record/exchange-turn';
import { turnText } from '../record/turn-text';
import { share, type StartThread } from '../thread';

/**
 * Functions that process whole bodies. They are pure, but their cost grows with the body, so large
 * bodies are processed in a thread: a few MiB of small items would block the event loop for seconds
 * (R-104).
 */
const bodyWork = {
  hints: (dialect: GatewayDialect, body: Buffer) => dialectOf(dialect).hintsOf(body),
  recent: (dialect: GatewayDialect, body: Buffer) => readRecent(dialectOf(dialect), body),
  rule: (dialect: GatewayDialect, body: Buffer, ...rest: Rest<'withRule'>) =>
    dialectOf(dialect).withRule(body, ...rest),
  steering: (dialect: GatewayDialect, body: Buffer, message: string) =>
    dialectOf(dialect).withSteering(body, message),
  correction: (dialect: GatewayDialect, body: Buffer, ...rest: Rest<'withCorrection'>) =>
    dialectOf(dialect).withCorrection(body, ...rest),
  rewrite: (
    dialect: GatewayDialect,
    body: Buffer,
    form: AnswerForm,
    read: ParsedAnswer,
    text: string,
  ) => dialectOf(dialect).withText({ chunks: [body], form, read }, text)?.chunks[0] ?? null,
  answer: (dialect: GatewayDialect, body: Buffer, form: AnswerForm) =>
    readChunks(dialectOf(dialect), [body], form),
  turn: (dialect: GatewayDialect, body: Buffer, exchange: AnsweredExchange) =>
    turnText(turnFactsOf(exchange, readWithSources(dialectOf(dialect), body, exchange.sources))),
} as const;

type Rest<Name extends 'withRule' | 'withCorrection'> =
  Parameters<ReturnType<typeof dialectOf>[Name]> extends [Buffer, ...infer Args] ? Args : never;
type Name = keyof typeof bodyWork;
type Args<N extends Name> =
  Parameters<(typeof bodyWork)[N]> extends [GatewayDialect, Buffer, ...infer Others]
    ? Others
    : never;
type Result<N extends Name> = ReturnType<(typeof bodyWork)[N]>;

/** A body and its project. */
export interface OwnedBody {
  readonly projectId: string;
  readonly dialect: GatewayDialect;
  readonly body: Buffer;
}

/** `over`: exceeded the CPU budget of a call. `busy`: the project has too much work queued. */
export type BodyOutcome<N extends Name> = Done<Result<N>> | { readonly state: 'over' | 'busy' };

interface Done<R> {
  readonly state: 'done';
  readonly result: R;
}

export interface Bodies {
  /** Whether a body of this size is processed at once, on the event loop. */
  isInline(bytes: number): boolean;
  /** Never throws. */
  work<N extends Name>(name: N, owned: OwnedBody, ...args: Args<N>): Promise<BodyOutcome<N>>;
  close(): Promise<void>;
}

/** Below this size processing takes milliseconds at most, regardless of the content. */
const INLINE_BYTES = 64 * 1024;
/** A project uses at most one thread at a time; the other serves other projects. */
const THREADS = 2;

/** A message to the thread. */
export interface BodyOrder {
  readonly name: Name;
  readonly dialect: GatewayDialect;
  readonly body: Uint8Array;
  readonly args: readonly unknown[];
}

/**
 * Processes bodies: small ones at once, large ones in a thread with a CPU budget. `startThread`
 * null if no thread is available.
 */
export function createBodies({ log }: Pick<Ctx, 'log'>, startThread: StartThread | null): Bodies {
  const pool =
    startThread === null
      ? null
      : createPool({ log }, { start: (memory) => startThread('bodies', memory), size: THREADS });
  return {
    isInline: (bytes) => pool === null || bytes <= INLINE_BYTES,
    async work(name, { projectId, dialect, body }, ...args) {
      try {
        if (pool === null || body.length <= INLINE_BYTES)
          return { state: 'done', result: workOn({ name, dialect, body, args }) };
        const input: BodyOrder = { name, dialect, body: share([body]), args };
        const task = { service: 'body', input, projectId, work: body.length };
        const result = await pool.run<Result<typeof name>>(task);
        return { state: 'done', result: asBuffer(result) };
      } catch (error) {
        if (error instanceof AssayError && error.code === 'rate_limited') return { state: 'busy' };
        if (!(error instanceof OverBudget))
          log.error({ err: error, work: name }, 'a body could not be read');
        return { state: 'over' };
      }
    },
    close: async () => pool?.close(),
  };
}

function workOn<N extends Name>({
  name,
  dialect,
  body,
  args,
}: BodyOrder & { readonly name: N }): Result<N> {
  const { buffer, byteOffset, byteLength } = body;
  const work = bodyWork[name] as (
    dialect: GatewayDialect,
    body: Buffer,
    ...args: readonly unknown[]
  ) => Result<N>;
  return work(dialect, Buffer.from(buffer, byteOffset, byteLength), ...args);
}

/** Processes one body in a thread; the resulting bytes are transferred, not copied. */
export async function serveBody(order: BodyOrder): Promise<Served> {
  const result = workOn(order);
  const bytes = result instanceof Uint8Array ? result : null;
  const isOwn =
    bytes !== null &&
    bytes.buffer instanceof ArrayBuffer &&
    bytes.byteLength === bytes.buffer.byteLength;
  return { result, transfer: isOwn ? [bytes.buffer] : [] };
}

/** A buffer arrives from a thread as a plain Uint8Array. */
function asBuffer<R>(result: R): R {
  if (!(result instanceof Uint8Array)) return result;
  return Buffer.from(result.buffer, result.byteOffset, result.byteLength) as R & Buffer;
}

/** The result; null if there is none. */
export function bodyResult<R>(
  outcome: Done<R> | { readonly state: 'over' | 'busy' } | null,
): R | null {
  return outcome?.state === 'done' ? outcome.result : null;
}

/** Hints of a request that could not be parsed. */
export const noHints: RequestHints = {
  model: null,
  stream: false,
  session: null,
  toolFollowup: false,
};
