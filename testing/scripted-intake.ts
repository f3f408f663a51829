import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/**
 * A server that replaces the edge. It misbehaves per request, as scripted, and stores the items it
 * receives by id.
 */

/** The behaviour for one request; `take` is that of a correct server. */
export type Step =
  | 'take'
  /** Stores the request, and the response is lost. */
  | 'take_and_reset'
  /** Breaks the connection without storing anything. */
  | 'reset'
  /** Never answers. */
  | 'hang'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

export interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly ids: readonly string[];
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

export interface ScriptedIntake {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Stored items by id; an item whose id is already stored counts as a duplicate. */
  readonly stored: ReadonlyMap<string, unknown>;
  close(): Promise<void>;
}

export interface Script {
  /** Applied in order; later requests get `take`. */
  readonly steps?: readonly Step[];
  /** Ids that are rejected without affecting the other items. */
  readonly refuse?: (id: string) => boolean;
  /** A larger body gets a 413. */
  readonly maxBodyBytes?: number;
}

interface Sent {
  readonly id: string;
}

export async function startScriptedIntake({
  steps = [],
  refuse = () => false,
  maxBodyBytes = Number.POSITIVE_INFINITY,
}: Script = {}): Promise<ScriptedIntake> {
  const left = [...steps];
  const seen: Seen[] = [];
  const stored = new Map<string, unknown>();

  function take(items: readonly Sent[]): string {
    const counts = { accepted: 0, duplicates: 0 };
    const rejected: { index: number; code: string; message: string }[] = [];
    for (const [index, item] of items.entries()) {
      if (refuse(item.id)) rejected.push({ index, code: 'invalid', message: `refused ${item.id}` });
      else if (stored.has(item.id)) counts.duplicates++;
      else {
        counts.accepted++;
        stored.set(item.id, item);
      }
    }
    return JSON.stringify({ ...counts, conflicts: 0, rejected });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    const { turns, outcomes } = JSON.parse(body.toString('utf8')) as {
      turns?: Sent[];
      outcomes?: Sent[];
    };
    const items = turns ?? outcomes ?? [];
    seen.push({
      path: request.url ?? '',
      headers: request.headers,
      ids: items.map(({ id }) => id),
      at: performance.now(),
    });
    if (body.length > maxBodyBytes)
      return reply(response, 413, '{"error":{"code":"too_large","message":"too large"}}');
    const step = left.shift() ?? 'take';
    if (step === 'hang') return;
    if (step === 'take_and_reset') take(items);
    if (step === 'reset' || step === 'take_and_reset') request.socket.resetAndDestroy();
    else if (step === 'take') reply(response, 202, take(items));
    else reply(response, step.status, step.body ?? '{}', step.headers);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => reply(response, 500, String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stored,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function reply(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
