import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../call';
import { createLedger, type LedgerTurn } from '../ledger';
import { sampleTurnId } from '../otlp';
import { packTraces } from '../span-load';
import { sampleTurn } from '../stack';
import type { Product } from './product';
import {
  answerModel,
  datasetSlug,
  promptSlug,
  providerName,
  routeSlug,
  type Tenant,
} from './tenants';

/** The requests that the clients of a tenant sent, and the responses of the product. */
export interface Records {
  /** Ids of turns that were sent. */
  readonly sent: Set<string>;
  /** Ids of turns that were acknowledged. */
  readonly acked: Set<string>;
  /** Ids of verifications that were accepted. */
  readonly verifications: Set<string>;
  /** Ids of experiments that were accepted. */
  readonly experiments: Set<string>;
  /** Number of gateway calls with a successful response. */
  gatewayCalls: number;
  /** Number of responses by status; 0 is a failed connection. */
  readonly statuses: Map<number, number>;
  /** Responses that violate the contract of the API. */
  readonly contractViolations: string[];
}

export interface Traffic {
  readonly records: ReadonlyMap<Tenant, Records>;
  /** Stops all clients, after their last requests have been acknowledged. */
  stop(): Promise<void>;
}

interface Client {
  readonly product: Product;
  readonly tenant: Tenant;
  readonly records: Records;
  readonly isStopped: () => boolean;
}

interface Request {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

const turnsPerRequest = 5;
const intervalsMs = {
  turns: 500,
  traces: 1_000,
  tasks: 3_000,
  gateway: 2_000,
  experiments: 180_000,
};
/** Each request must be acknowledged within this time, despite faults. */
const ackTimeoutMs = 600_000;
/** Failures that the contract allows. */
const allowedFailures = new Set([0, 429, 502, 503]);

/** Sends a request once. Returns null if it was not acknowledged and must be sent again. */
async function send(
  { product, tenant, records }: Client,
  path: string,
  { body, headers = {} }: Request,
): Promise<Json | null> {
  let status = 0;
  let text = '';
  try {
    const response = await fetch(product.edgeUrl + path, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${tenant.key}`,
        'content-type': 'application/json',
        ...headers,
      },
      signal: AbortSignal.timeout(30_000),
    });
    text = await response.text();
    ({ status } = response);
    if ((status === 429 || status === 503) && response.headers.get('retry-after') === null)
      records.contractViolations.push(`${path}: ${status} without Retry-After`);
  } catch {
    status = 0;
  }
  records.statuses.set(status, (records.statuses.get(status) ?? 0) + 1);
  if (status >= 200 && status < 300) return text === '' ? {} : (JSON.parse(text) as Json);
  if (!allowedFailures.has(status))
    records.contractViolations.push(`${path}: ${status} ${text.slice(0, 200)}`);
  return null;
}

/** Sends a request until it is acknowledged. */
async function sendUntilAcked(client: Client, path: string, request: Request): Promise<Json> {
  const end = performance.now() + ackTimeoutMs;
  for (;;) {
    const reply = await send(client, path, request);
    if (reply !== null) return reply;
    if (performance.now() > end) throw new Error(`${path}: not acknowledged in ${ackTimeoutMs} ms`);
    await sleep(1_000);
  }
}

/** Calls `act` at this interval, one call at a time, until the client is stopped. */
async function repeat(
  { isStopped, records }: Client,
  intervalMs: number,
  act: (n: number) => Promise<void>,
): Promise<void> {
  for (let n = 0; !isStopped(); n++) {
    const next = performance.now() + intervalMs;
    try {
      await act(n);
    } catch (error) {
      records.contractViolations.push(String(error));
    }
    while (!isStopped() && performance.now() < next) await sleep(Math.min(250, intervalMs));
  }
}

function sendTurns(client: Client): Promise<void> {
  const { product, tenant, records } = client;
  const ledger = createLedger({ url: product.edgeUrl, key: tenant.key });
  return repeat(client, intervalsMs.turns, async (n) => {
    const turns = Array.from(
      { length: turnsPerRequest },
      (_, i): LedgerTurn =>
        sampleTurn(`${tenant.slug}-${n}-${i}`, { session_id: `${tenant.slug}-s-${n % 200}` }),
    );
    for (const { id } of turns) records.sent.add(id);
    await ledger.postUntilAcked(turns, ackTimeoutMs);
    for (const { id } of turns) records.acked.add(id);
  }).finally(() => {
    for (const [status, count] of ledger.statuses)
      records.statuses.set(status, (records.statuses.get(status) ?? 0) + count);
    records.contractViolations.push(...ledger.faults);
  });
}

function sendTraces(client: Client): Promise<void> {
  const { tenant, records } = client;
  return repeat(client, intervalsMs.traces, async (n) => {
    const [packed] = packTraces(`${tenant.slug}-trace-${n}`, 1);
    if (packed === undefined) return;
    const id = sampleTurnId(packed.label, 10);
    records.sent.add(id);
    const { body, headers } = packed;
    await sendUntilAcked(client, '/v1/traces', { body, headers });
    records.acked.add(id);
  });
}

/** Requests asynchronous verifications of tasks, each with its own idempotency key. */
function requestVerifications(client: Client): Promise<void> {
  const { tenant, records } = client;
  return repeat(client, intervalsMs.tasks, async (n) => {
    const body = JSON.stringify({
      success_criteria: ['The answer names the host.'],
      scoring_mode: 'binary',
      task_output: `The disk of web-${n} is full.`,
      executor_model: 'google/gemini-2.5-pro',
      mode: 'async',
    });
    const headers = { 'idempotency-key': `${tenant.slug}-task-${n}` };
    const { id } = await sendUntilAcked(client, '/v1/verify/task', { body, headers });
    records.verifications.add(String(id));
  });
}

/** Runs conversations of ten calls through the gateway. A failed call is not repeated. */
function callGateway(client: Client): Promise<void> {
  const { tenant, records } = client;
  return repeat(client, intervalsMs.gateway, async (n) => {
    const body = JSON.stringify({
      model: answerModel,
      messages: [{ role: 'user', content: `How full is web-${n}?` }],
    });
    const headers = { 'x-assay-session': `${tenant.slug}-talk-${Math.floor(n / 10)}` };
    const path = `/gateway/${routeSlug}/v1/chat/completions`;
    if ((await send(client, path, { body, headers })) !== null) records.gatewayCalls += 1;
  });
}

function runExperiments(client: Client): Promise<void> {
  const { tenant, records } = client;
  return repeat(client, intervalsMs.experiments, async (n) => {
    const body = JSON.stringify({
      name: `Run ${n}`,
      dataset: datasetSlug,
      target: {
        type: 'prompt',
        model: `${providerName}:${answerModel}`,
        prompt: `${promptSlug}@1`,
      },
      verifiers: ['integrity', 'long-enough'],
    });
    const headers = { 'idempotency-key': `${tenant.slug}-experiment-${n}` };
    const { id } = await sendUntilAcked(client, '/v1/experiments', { body, headers });
    records.experiments.add(String(id));
  });
}

export function startTraffic(product: Product, tenants: readonly Tenant[]): Traffic {
  let stopped = false;
  const records = new Map<Tenant, Records>();
  const running: Promise<void>[] = [];
  for (const tenant of tenants) {
    const tenantRecords: Records = {
      sent: new Set(),
      acked: new Set(),
      verifications: new Set(),
      experiments: new Set(),
      gatewayCalls: 0,
      statuses: new Map(),
      contractViolations: [],
    };
    records.set(tenant, tenantRecords);
    const client = { product, tenant, records: tenantRecords, isStopped: () => stopped };
    for (const start of [sendTurns, sendTraces, requestVerifications, callGateway, runExperiments])
      running.push(start(client));
  }
  return {
    records,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
