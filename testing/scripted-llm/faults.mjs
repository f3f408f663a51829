// Faults of a provider or of the network: each case ends the response in its own way.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** @typedef {import('node:http').ServerResponse} Response */

/**
 * @typedef {(
 *   | { readonly kind: 'status', readonly status: number, readonly headers?:
 *   Readonly<Record<string, string>>, readonly body?: string }
 *   | { readonly kind: 'garbage', readonly body: string, readonly type?: string }
 *   | { readonly kind: 'hang' }
 *   | { readonly kind: 'drip', readonly everyMs?: number }
 *   | { readonly kind: 'huge', readonly bytes: number }
 *   | { readonly kind: 'endless' }
 *   | { readonly kind: 'bomb', readonly coding: 'br' | 'gzip' }
 *   | { readonly kind: 'codings', readonly count: number }
 *   | { readonly kind: 'reset' }
 *   | { readonly kind: 'early_close' }
 *   | { readonly kind: 'bad_chunk' }
 *   | { readonly kind: 'huge_headers', readonly bytes: number }
 *   | { readonly kind: 'not_http' }
 *   | { readonly kind: 'redirect', readonly to: string }
 * )} Fault
 */

const json = { 'content-type': 'application/json' };
const mebibyte = Buffer.alloc(1024 * 1024, ' ');

/** @param {Fault} fault @param {Response} response */
export async function misbehave(fault, response) {
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, { ...json, ...fault.headers });
      response.end(
        fault.body ??
          JSON.stringify({
            error: { message: `scripted ${fault.status}`, type: 'scripted', code: null },
          }),
      );
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': fault.type ?? 'application/json' });
      response.end(fault.body);
      return;
    case 'redirect':
      response.writeHead(307, { location: fault.to });
      response.end();
      return;
    case 'hang':
      return;
    case 'drip':
      return drip(response, fault.everyMs ?? 1000);
    case 'huge':
      return pour(response, fault.bytes, json);
    case 'endless':
      return pour(response, Number.POSITIVE_INFINITY, { 'content-type': 'text/event-stream' });
    case 'bomb':
      response.writeHead(200, { ...json, 'content-encoding': fault.coding });
      response.end(bomb(fault.coding));
      return;
    case 'codings':
      response.writeHead(200, {
        ...json,
        'content-encoding': Array(fault.count).fill('br').join(','),
      });
      response.end(bomb('br'));
      return;
    default:
      return breakOff(fault, response);
  }
}

/**
 * @param {Extract<Fault, { kind: 'reset' | 'early_close' | 'bad_chunk' | 'huge_headers' |
 * 'not_http' }>} fault @param {Response} response
 */
function breakOff(fault, response) {
  const { socket } = response;
  if (socket === null) return;
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  switch (fault.kind) {
    case 'reset':
      socket.write(`${head}content-length: 1000\r\n\r\n{"id":`, () => socket.resetAndDestroy());
      return;
    case 'early_close':
      socket.end(`${head}content-length: 1000\r\n\r\n{"id":`);
      return;
    case 'bad_chunk':
      socket.end(`${head}transfer-encoding: chunked\r\n\r\nZZ\r\n{"id":"x"}\r\n0\r\n\r\n`);
      return;
    case 'huge_headers':
      socket.end(`${head}x-filler: ${'x'.repeat(fault.bytes)}\r\n\r\n{}`);
      return;
    case 'not_http':
      socket.end('220 mail.example.org ESMTP ready\r\n');
  }
}

/**
 * Sends a reply that would be right, one byte at a time.
 * @param {Response} response @param {number} everyMs
 */
async function drip(response, everyMs) {
  response.writeHead(200, json);
  for (const byte of `{"id":"${'x'.repeat(100_000)}`) {
    if (response.destroyed || response.socket === null) return;
    response.write(byte);
    await pause(everyMs);
  }
}

/**
 * Sends blanks, no faster than the client reads them, until there are enough or the client has
 * disconnected.
 * @param {Response} response @param {number} bytes @param {Record<string, string>} headers
 */
async function pour(response, bytes, headers) {
  response.writeHead(200, headers);
  const closed = once(response, 'close');
  for (let sent = 0; sent < bytes && !response.destroyed; sent += mebibyte.length) {
    if (!response.write(mebibyte)) await Promise.race([once(response, 'drain'), closed]);
    // Lets the server notice a client that disconnected.
    else await pause(0);
  }
  response.end();
}

/** @type {Map<string, Buffer>} */
const bombs = new Map();

/** 100 MiB of blanks, compressed once. @param {'br' | 'gzip'} coding */
function bomb(coding) {
  let made = bombs.get(coding);
  if (made === undefined) {
    const plain = Buffer.alloc(100 * 1024 * 1024, ' ');
    made = coding === 'br' ? brotliCompressSync(plain) : gzipSync(plain);
    bombs.set(coding, made);
  }
  return made;
}
