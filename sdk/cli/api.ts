import { createHttpApi, type HttpApi, type HttpApiOptions } from '../client/http-api';
import type { Connection } from './arguments';
import { CliFailure, withRemark } from './failure';

/** Interactive calls of the HTTP API, retried while that may help, for at most two minutes. */

/** Its errors are CliFailures with the server's message, or why the server does not respond. */
export type Api = HttpApi;
export type ApiOptions = Pick<HttpApiOptions, 'onRetry' | 'retryForMs' | 'signal'>;

export const createApi = ({ url, key }: Connection, options: ApiOptions = {}): Api =>
  createHttpApi(
    { url, key, gzip: false, requestTimeoutMs: 60_000, fetch: globalThis.fetch },
    {
      ...options,
      urlSetting: '--url or ASSAY_URL',
      fail: ({ message, status, path }) =>
        new CliFailure(status === null ? message : withRemark(message, `${status} at ${path}`)),
    },
  );
