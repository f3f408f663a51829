import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog, systemClock } from '../../platform';
import { unbound } from '../../thresholds';
import { createBodies } from './bodies';
import type {
  ExchangeRequest,
  GatewayProject,
  GatewayRoute,
  BufferedAnswer,
  Settled,
  VerificationHeaders,
} from '../exchange';
import { createForward, type Forward } from './forward';
import { type UpstreamLimits, usualLimits } from './upstreams';
import { createShapeRefusals } from '../verify/shape-refusals';
import { RouteSettings } from '../input';
import { readPresented } from '../routes/snapshot-view';
import type { Captured } from './captured';
import type { ProxyDeps, BufferState } from './deps';
import { createGateway, type Gateway } from './gateway';
import type { BufferSpace } from './buffer-space';

/** A door for tests: real forwarding, and in place of the other parts what the test says. */
export interface ProxyFixture {
  readonly port: number;
  readonly gateway: Gateway;
  readonly captured: Captured[];
  readonly counted: VerificationHeaders[];
  readonly held: {
    request: ExchangeRequest;
    answer: BufferedAnswer;
    state: BufferState;
    signal: AbortSignal;
  }[];
  /** Sessions of the due calls that are held no longer. */
  readonly unheld: string[];
  /** Changes what the parts say from the next call on. */
  readonly set: {
    settings(settings: object): void;
    due(due: boolean): void;
    settle(settle: ProxyDeps['finishAnswer']): void;
    /** Members in place of the usual ones. */
    deps(deps: Partial<ProxyDeps>): void;
    away(away: boolean): void;
    breaker(open: boolean): void;
    integrityOff(off: boolean): void;
  };
  /** Resolves with the next call that is recorded or counted. */
  nextEnd(): Promise<void>;
  close(): Promise<void>;
}

export const assayKey = 'asy_test_key';
export const upstreamKey = 'sk-stored-0123456789';

/** What `settleHeld` says when it passes an answer. */
export const passed = (
  answer: BufferedAnswer,
  verification: Partial<VerificationHeaders> = {},
): Settled => ({
  answer,
  verification: { verdict: 'passed', reason: null, verificationId: 'ver_1', ...verification },
  episode: null,
  integrity: null,
  plainText: null,
  envelope: null,
  after: null,
});

/** What the parts say now. */
interface Script {
  project: { -readonly [K in keyof GatewayProject]: GatewayProject[K] };
  route: GatewayRoute;
  due: boolean;
  away: boolean;
  breaker: boolean;
  settle: ProxyDeps['finishAnswer'];
  more: Partial<ProxyDeps>;
}

type Noted = Pick<ProxyFixture, 'captured' | 'counted' | 'held' | 'unheld'> & {
  readonly end: () => void;
};

export async function startProxy(
  baseUrl: string,
  api: 'openai' | 'anthropic' = 'openai',
  limits: Partial<UpstreamLimits> = {},
  room?: BufferSpace,
): Promise<ProxyFixture> {
  const project = {
    id: 'prj_1',
    slug: 'test',
    integrityOff: false,
    derivedCountsAsSourced: false,
    turnAuthority: unbound,
    providers: [],
  };
  const routeWith = (settings: object) => routeTo({ project, baseUrl, api, settings });
  const settle: ProxyDeps['finishAnswer'] = async (_request, answer) => passed(answer);
  const script: Script = {
    project,
    route: routeWith({}),
    due: false,
    away: false,
    breaker: false,
    settle,
    more: {},
  };
  const ends: (() => void)[] = [];
  const end = (): void => {
    for (const tell of ends.splice(0)) tell();
  };
  const noted: Noted = { captured: [], counted: [], held: [], unheld: [], end };
  const forward = createForward(
    { allow: new Set([new URL(baseUrl).host]) },
    { ...usualLimits, ...limits },
  );
  const usual = usualDeps(script, noted, forward);
  const gateway = createGateway(
    new Proxy(usual, { get: (target, name: keyof ProxyDeps) => script.more[name] ?? target[name] }),
    room,
  );
  const server = createServer({ noDelay: true }, (request, response) => {
    if (!gateway.handle(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    gateway,
    captured: noted.captured,
    counted: noted.counted,
    held: noted.held,
    unheld: noted.unheld,
    set: {
      settings: (settings) => void (script.route = routeWith(settings)),
      due: (due) => void (script.due = due),
      settle: (next) => void (script.settle = next),
      deps: (more) => void (script.more = more),
      away: (away) => void (script.away = away),
      breaker: (open) => void (script.breaker = open),
      integrityOff: (off) => void (project.integrityOff = off),
    },
    nextEnd: () => new Promise((tell) => ends.push(tell)),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await forward.close();
    },
  };
}

interface RouteGiven {
  readonly project: GatewayProject;
  readonly baseUrl: string;
  readonly api: 'openai' | 'anthropic';
  readonly settings: object;
}

/** A route with a stored key for its own origin. */
export function routeTo({ project, baseUrl, api, settings }: RouteGiven): GatewayRoute {
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
  const key = {
    models: [],
    prices: new Map(),
    source: 'project',
    openKey: () => upstreamKey,
  } as const;
  return {
    name: 'test',
    project,
    settings: RouteSettings.parse(settings),
    api,
    baseUrl,
    origin,
    provider: { name: 'p', kind: api, baseUrl, origin, ...key },
    keyGap: null,
  };
}

function usualDeps(script: Script, noted: Noted, forward: Forward): ProxyDeps {
  const { project } = script;
  return {
    snapshot: {
      authorize(authorization, xApiKey, xAssayKey) {
        const { text, virtual } = readPresented(authorization, xApiKey, xAssayKey);
        if (text === assayKey) return { state: 'ok', project, virtual, keyId: 'key_1' };
        if (text === 'asy_unknown') return null;
        return { state: 'refused', status: 401, code: 'unauthorized', message: 'no key' };
      },
      authorizeUnknown: async () => ({ state: 'ok', project, virtual: true, keyId: 'key_2' }),
      routeOf: (_project, name) => (name === 'test' ? script.route : null),
    },
    turns: {
      advance: () => ({ units: 1000, counter: 3000, due: script.due }),
      endHold: (_projectId, sessionId) => void noted.unheld.push(sessionId),
    },
    breakers: { isOpen: () => script.breaker },
    finishAnswer(request, answer, state, signal) {
      noted.held.push({ request, answer, state, signal });
      return script.settle(request, answer, state, signal);
    },
    recorder: {
      note(each) {
        noted.captured.push(each);
        noted.end();
      },
      count(_route, verification) {
        noted.counted.push(verification);
        noted.end();
      },
      isAway: () => script.away,
    },
    mayPrepare: ({ settings }) => settings.integrity.mode === 'hold',
    bodies: createBodies({ log: createLog('test', 'silent') }, null),
    prepare: ({ body }) => Promise.resolve({ body, withoutShape: null }),
    shapes: createShapeRefusals(),
    forward,
    clock: systemClock,
    log: createLog('test', 'silent'),
    retryDelaysMs: [],
    keepAliveMs: 10_000,
  };
}
