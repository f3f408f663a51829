/**
 * The loud tenant: sends the most expensive accepted requests of every class over a fixed number of
 * connections until it is terminated. A separate process at the lowest priority with prebuilt
 * bodies, so that it takes no processor time from the measured processes. Arguments: origins
 * separated by commas, key, connections. Reports the number of answers by status to its parent once
 * a second.
 */
import { setPriority } from 'node:os';
import { Agent, request } from 'undici';
import { worstRequests } from '../../testing/worst-requests';

const [origins = '', key = '', connections = '16'] = process.argv.slice(2);
const bodiesOfEach = 8;
const sent = worstRequests.flatMap(({ path, body }) =>
  Array.from({ length: bodiesOfEach }, (_, n) => ({ path, body: body(n) })),
);
const targets = origins.split(',');
const dispatcher = new Agent({
  connections: Number(connections),
  bodyTimeout: 120_000,
  headersTimeout: 120_000,
});
const statuses = new Map<number, number>();
let next = 0;

async function sendForever(): Promise<void> {
  for (;;) {
    const turn = next++;
    const one = sent[turn % sent.length];
    const origin = targets[turn % targets.length];
    if (one === undefined || origin === undefined) return;
    try {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const { statusCode, body } = await request(`${origin}${one.path}`, {
        method: 'POST',
        headers,
        body: one.body,
        dispatcher,
      });
      await body.dump();
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    } catch {
      statuses.set(0, (statuses.get(0) ?? 0) + 1);
    }
  }
}

setPriority(19);
process.send?.({ ready: true });
setInterval(() => process.send?.({ statuses: [...statuses] }), 1_000);
process.on('disconnect', () => process.exit(0));
await Promise.all(Array.from({ length: Number(connections) }, sendForever));
