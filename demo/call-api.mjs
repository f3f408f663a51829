// Calls of the HTTP API for the demo: JSON in and out, with retries if the server requests them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../scripts/failure.mjs';

/**
 * @typedef {(path: string, body?: unknown, method?: 'POST' | 'PUT') => Promise<Record<string,
 * unknown>>} CallApi
 */

const maxAttempts = 6;

/**
 * @param {{ url: string, key: string }} connection
 * @returns {CallApi} a GET without body, else a POST by default; fails with the server's own
 * sentence
 */
export function createApi({ url, key }) {
  const base = url.replace(/\/+$/, '');
  return async (path, body, method = 'POST') => {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${base}${path}`, {
        method: body === undefined ? 'GET' : method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      }).catch((/** @type {unknown} */ error) => {
        throw new Failure(
          `${base} does not answer (${error instanceof Error ? error.message : String(error)}): is Assay running there?`,
        );
      });
      const text = await response.text();
      if (response.ok) return readObject(text);
      if ((response.status === 503 || response.status === 429) && attempt < maxAttempts) {
        await sleep(Number(response.headers.get('retry-after') ?? '1') * 1000);
        continue;
      }
      throw new Failure(`${path}: ${sentenceOf(text)} (${response.status})`);
    }
  };
}

/** @param {string} text @returns {Record<string, unknown>} */
function readObject(text) {
  const value = JSON.parse(text);
  if (typeof value !== 'object' || value === null)
    throw new Failure('The answer is not one of Assay: is the address right?');
  return value;
}

/** @param {string} text @returns {string} */
function sentenceOf(text) {
  try {
    return String(JSON.parse(text).error.message);
  } catch {
    return 'the answer is not one of Assay';
  }
}
