import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { createApp, createIntake, createNodeIntake, type HttpDeps } from '../server/api/http';
import { contentTypes, type OtlpFormat } from './otlp';

export interface SpanReply {
  readonly status: number;
  readonly type: string | null;
  readonly retryAfter: string | null;
  readonly bytes: Buffer;
}

export interface SpanRequest {
  readonly format: OtlpFormat;
  readonly body: Buffer | string;
  readonly gzip?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** `/v1/traces` when missing. */
  readonly path?: string;
}

/** POSTs an export request to the OTLP endpoint at `url` and reads the whole response. */
export async function postSpans(
  url: string,
  key: string,
  {
    format,
    body,
    gzip = false,
    headers = {},
    timeoutMs = 30_000,
    path = '/v1/traces',
  }: SpanRequest,
): Promise<SpanReply> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': contentTypes[format],
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
      ...headers,
    },
    body: gzip ? gzipSync(body) : typeof body === 'string' ? body : new Uint8Array(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    retryAfter: response.headers.get('retry-after'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

export interface ApiServers {
  readonly port: number;
  /** The API as the edge serves it, on a Node server. */
  readonly edge: string;
  /** The same API as web serves it, through the router. */
  readonly web: string;
  close(): Promise<void>;
}

/**
 * Serves the HTTP API from this process, as edge and web do, so that the test can inspect the state
 * of the intake afterwards.
 */
export async function startApiServers(deps: HttpDeps): Promise<ApiServers> {
  const intake = createIntake(deps);
  const take = createNodeIntake(intake);
  const edge = getRequestListener(createApp(deps, '', intake).fetch);
  const web = getRequestListener(createApp(deps, '/api', intake).fetch);
  const server = createServer({ noDelay: true }, (request, response) => {
    if (request.url?.startsWith('/api/') === true) void web(request, response);
    else if (!take(request, response)) void edge(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    edge: `http://127.0.0.1:${port}`,
    web: `http://127.0.0.1:${port}/api`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Resident memory of a process in MiB; null if the system does not report it. */
export function memoryOf(pid: number): number | null {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Number(kib) / 1024;
  } catch {
    return null;
  }
}
