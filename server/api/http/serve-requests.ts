import { refused } from '../../platform';
import { enterProject, type ProjectCtx } from '../../access';
import type { Served, Service, ThreadBudget } from '../../pool';
import { createApp } from './app';
import type { HttpDeps } from './deps';
import {
  AWAITS_HEADER,
  isRead,
  readAwaits,
  type ThreadAnswer,
  type ThreadRequest,
} from './thread-request';

/**
 * The service `http` of a pool thread: answers one request completely, for the project whose key
 * its process has checked.
 */
export function requestServices(
  deps: Omit<HttpDeps, 'keys' | 'pool' | 'isThread'>,
  budget: ThreadBudget,
): Readonly<Record<string, Service>> {
  // One request at a time: the pool sends the next when this one is answered.
  let current: ProjectCtx | null = null;
  const keys: HttpDeps['keys'] = {
    authorize: () =>
      current === null
        ? Promise.reject(refused('the project no longer exists'))
        : Promise.resolve(current),
  };
  const app = createApp({ ...deps, keys, pool: null, isThread: true });

  return {
    async http({ method, path, headers, body, project }: ThreadRequest): Promise<Served> {
      budget.begin(null);
      budget.enter('reading the request');
      current = enterProject(deps.ctx, project, project.actor);
      const sent = isRead(method) ? {} : { body };
      const response = await app.request(path, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        ...sent,
      });
      const awaits = readAwaits(response.headers.get(AWAITS_HEADER));
      // A request that will rerun gets its body back: its memory was transferred here.
      const bytes = awaits?.kind === 'job' ? body : new Uint8Array(await response.arrayBuffer());
      const publicHeaders = [...response.headers].filter(
        ([name]) => name !== AWAITS_HEADER && name !== 'content-length',
      );
      const answer: ThreadAnswer = {
        status: response.status,
        headers: publicHeaders,
        body: bytes,
        awaits,
      };
      return { result: answer, transfer: [bytes.buffer] };
    },
  };
}
