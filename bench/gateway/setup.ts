import { join } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import { until } from '../../testing/until';
import { createKey } from '../../server/access';
import { type Child, startChild } from '../child';
import { treeCpuSeconds } from '../cpu';
import { startPeer } from '../ingest/peers';
import type { Settings } from '../run';
import type { Stage } from '../stage';
import { model } from './answers.mjs';

export type Wire = 'openai' | 'anthropic';
/** The behaviour of the mock upstream; the first segment of its paths. */
export type Mode = 'plain' | 'stream' | 'paced' | 'figures' | 'figures-stream' | 'endless' | 'open';

/** A proxy between the client and the mock upstream; `direct`: none. */
export interface Side {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Whether it forwards answers byte for byte. */
  readonly isExact: boolean;
  /**
   * A complete HTTP message that posts `body`; `session` is the session whose turns are counted.
   */
  message(mode: Mode, wire: Wire, body: Buffer, session?: string): Buffer;
  /**
   * Waits for background work after `calls` calls, which counts towards its processor time.
   * @throws Error if a check fails, which voids the run
   */
  settle(calls: number): Promise<void>;
}

export interface GatewaySetup {
  readonly stage: Stage;
  readonly mock: Child;
  readonly edge: Child;
  readonly direct: Side;
  readonly floor: Side;
  /** No verifier; integrity verified after delivery, each call captured and stored. */
  readonly assay: Side;
  /** The mock's verifier verifies every tenth turn. */
  readonly ten: Side;
  /** Integrity `hold`: each turn is buffered and traced. */
  readonly hold: Side;
  /** Null with the reason if it is unavailable. */
  readonly portkey: Side | null;
  readonly noPortkey: string;
  readonly portkeyVersion: string;
  /** Calls that were not recorded because the write queue was full, since the setup. */
  dropped(): number;
}

const setups = new WeakMap<Stage, Promise<GatewaySetup>>();
const pathOf = { openai: '/chat/completions', anthropic: '/messages' } as const;
const variants = {
  off: {},
  ten: { quality_verifier: { model: 'mock:judge-1', frequency: 10 } },
  hold: { integrity: { mode: 'hold' } },
} as const;
/** Checked when all are recorded. */
const modes: readonly Mode[] = [
  'stream',
  'paced',
  'figures',
  'figures-stream',
  'endless',
  'open',
  'plain',
];

/** Starts the mock, the floor, Portkey, and an edge with its routes, once for all rows of a run. */
export function startGatewaySetup(stage: Stage, settings: Settings): Promise<GatewaySetup> {
  let setup = setups.get(stage);
  if (setup === undefined) {
    setup = open(stage, settings);
    setups.set(stage, setup);
  }
  return setup;
}

async function open(stage: Stage, settings: Settings): Promise<GatewaySetup> {
  const start = async (file: string, arg: string): Promise<Child> => {
    const child = await startChild(join(root, 'bench', 'gateway', file), { args: [arg] });
    stage.onClose(() => child.stop());
    return child;
  };
  const mock = await start('mock.mjs', 'serve');
  const origin = `http://127.0.0.1:${mock.port}`;
  const floor = await start('floor.mjs', origin);
  const edge = await stage.startEdge({
    ASSAY_OUTBOUND_ALLOW: `127.0.0.1:${mock.port}`,
    ASSAY_DATA_DIR: stage.folder,
    ASSAY_REPLICA: 'bench',
  });
  const { key } = await createKey(stage.project, {
    name: 'gateway',
    scopes: ['gateway', 'read', 'write'],
  });
  await putRoutes(edge, key, origin);
  await until('the question whether they serve is counted', async () =>
    (await readState(stage)).counted > 0 ? true : null,
  );
  await waitUntilIdle(edge);
  await wipe(stage);
  const peer = settings.smoke
    ? { missing: 'peers are not started' }
    : await startPeer(stage, 'portkey');
  let dropped = 0;
  const assaySide = (name: string, variant: keyof typeof variants): Side => ({
    name,
    pid: edge.pid,
    port: edge.port,
    isExact: true,
    message: (mode, wire, body, session = 'bench') =>
      post(`/gateway/${variant}-${mode}/v1${pathOf[wire]}`, body, [
        `authorization: Bearer ${key}`,
        `x-assay-session: ${session}`,
      ]),
    async settle(calls) {
      dropped += await recorded(stage, edge, calls);
    },
  });
  const plain = (name: string, child: Child): Side => ({
    name,
    pid: child.pid,
    port: child.port,
    isExact: true,
    message: (mode, wire, body) =>
      post(`/${mode}/v1${pathOf[wire]}`, body, ['authorization: Bearer sk-client']),
    settle: () => Promise.resolve(),
  });
  return {
    stage,
    mock,
    edge,
    direct: plain('direct', mock),
    floor: plain('floor', floor),
    assay: assaySide('assay', 'off'),
    ten: assaySide('ten', 'ten'),
    hold: assaySide('hold', 'hold'),
    portkey: 'missing' in peer ? null : portkeySide(peer.child, origin),
    noPortkey: 'missing' in peer ? peer.missing : '',
    portkeyVersion: 'missing' in peer ? '' : peer.version,
    dropped: () => dropped,
  };
}

function portkeySide(child: Child, origin: string): Side {
  return {
    name: 'portkey',
    pid: child.pid,
    port: child.port,
    isExact: false,
    message: (mode, wire, body) =>
      post(`/v1${pathOf[wire]}`, body, [
        'authorization: Bearer sk-client',
        `x-portkey-provider: ${wire}`,
        `x-portkey-custom-host: ${origin}/${mode}/v1`,
      ]),
    settle: () => Promise.resolve(),
  };
}

/** As a client library sends it. */
function post(path: string, body: Buffer, more: readonly string[]): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'user-agent: bench/1.0',
    ...more,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

async function putRoutes(edge: Child, key: string, origin: string): Promise<void> {
  const put = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${edge.port}${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${await answer.text()}`);
  };
  const provider = {
    kind: 'openai_compatible',
    base_url: `${origin}/verifier/v1`,
    api_key: 'sk-mock',
    models: ['judge-1'],
  };
  await put('/v1/providers/mock', provider);
  for (const [variant, settings] of Object.entries(variants)) {
    for (const mode of modes)
      await put(`/v1/gateway/routes/${variant}-${mode}`, {
        upstream: `${origin}/${mode}/v1`,
        ...settings,
      });
  }
  await until('the routes serve', async () => {
    const answer = await fetch(`http://127.0.0.1:${edge.port}/gateway/hold-plain/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await answer.arrayBuffer();
    return answer.ok ? true : null;
  });
}

interface Found {
  readonly counted: number;
  readonly dropped: number;
  readonly stored: number;
}

async function readState({ sql }: Pick<Stage, 'sql'>): Promise<Found> {
  const [row] = await sql<Found[]>`
    select coalesce(sum(calls), 0)::int as counted, coalesce(sum(dropped), 0)::int as dropped,
      (select count(*)::int from gateway_calls) as stored from gateway_rollups`;
  return row ?? { counted: 0, dropped: 0, stored: 0 };
}

/**
 * Waits until each of `calls` is counted in the database, and stored unless it was dropped, and
 * until the edge is idle; then deletes the rows.
 * @returns the number of dropped records
 * @throws Error if another number was counted or stored, which voids the run
 */
async function recorded(stage: Pick<Stage, 'sql'>, edge: Child, calls: number): Promise<number> {
  let found = await readState(stage);
  const isDone = ({ counted, dropped, stored }: Found): boolean =>
    counted >= calls && stored + dropped >= calls;
  await until(
    'every call is recorded',
    async () => (isDone((found = await readState(stage))) ? true : null),
    120_000,
  ).catch(() => undefined);
  await waitUntilIdle(edge);
  found = await readState(stage);
  if (found.counted !== calls || found.stored + found.dropped !== calls) {
    throw new Error(
      `void: ${calls} calls, counted ${found.counted}, of these dropped ${found.dropped}, stored ${found.stored}`,
    );
  }
  await wipe(stage);
  return found.dropped;
}

/** Deletes all rows written by calls. */
async function wipe({ sql }: Pick<Stage, 'sql'>): Promise<void> {
  await sql`truncate gateway_calls, gateway_rollups, trace_segments, traces, turns, turn_versions, sessions, work, work_attempts,
    intake_rollups, decisions, decision_rollups, verdicts, scores, verdict_rollups, integrity_rollups`;
}

/** Resolves when the process has used hardly any processor time for a while. */
async function waitUntilIdle(child: Child): Promise<void> {
  const stepMs = 250;
  let before = treeCpuSeconds(child.pid);
  await until(
    'the edge rests',
    async () => {
      await new Promise((resolve) => setTimeout(resolve, stepMs));
      const now = treeCpuSeconds(child.pid);
      const used = now - before;
      before = now;
      return used <= 0.02 ? true : null;
    },
    60_000,
  );
}

/** A request of about this size; 1.7 KB by default. */
export function requestBody({
  bytes = 1_700,
  stream = false,
}: {
  readonly bytes?: number;
  readonly stream?: boolean;
} = {}): Buffer {
  const words =
    'Tell me how the harbour closed the quarter, crate by crate, and leave nothing out. ';
  const of = (length: number): string =>
    JSON.stringify({
      model,
      stream,
      max_tokens: 512,
      messages: [
        { role: 'system', content: 'You answer in full sentences.' },
        { role: 'user', content: words.repeat(Math.ceil(length / words.length)).slice(0, length) },
      ],
    });
  return Buffer.from(of(Math.max(1, bytes - of(0).length)));
}
