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
  FinishedAnswer,
  VerificationHeaders,
} from '../exchange';
import { createForward, type Forward } from './forward';
import { type UpstreamLimits, defaultUpstreamLimits } from './upstreams';
import { createShapeRefusals } from '../verify/shape-refusals';
import { RouteSettings } from '../input';
import { readPresented } from '../routes/snapshot-view';
import type { Captured } from './captured';
import type { ProxyDeps, CallVerificationState } from './deps';
import { createGateway, type Gateway } from './gateway';
import type { BufferBudget } from './buffer-budget';

/** A proxy for tests: real forwarding, everything else scripted by the test. */
export interface TestProxy {
  readonly port: number;
  readonly gateway: Gateway;
  readonly captured: Captured[];
  readonly counted: VerificationHeaders[];
  readonly buffered: {
    request: ExchangeRequest;
    answer: BufferedAnswer;
    state: CallVerificationState;
    signal: AbortSignal;
  }[];
  /** Sessions whose verification has ended. */
  readonly endedSessions: string[];
  /** Changes the script from the next call on. */
  readonly set: {
    settings(settings: object): void;
    shouldVerify(shouldVerify: boolean): void;
    finish(finish: ProxyDeps['finishAnswer']): void;
    /** Overrides of the default dependencies. */
    deps(deps: Partial<ProxyDeps>): void;
    unavailable(unavailable: boolean): void;
    breaker(open: boolean): void;
    integrityOff(off: boolean): void;
  };
  /** Resolves with the next recorded or counted call. */
  nextEnd(): Promise<void>;
  close(): Promise<void>;
}

export const assayKey = 'asy_test_key';
export const upstreamKey = 'sk-stored-0123456789';

/** The result of `finishAnswer` for a passed answer. */
export const passed = (
  answer: BufferedAnswer,
  outcome: Partial<VerificationHeaders> = {},
): FinishedAnswer => ({
  answer,
  outcome: { verdict: 'passed', reason: null, verificationId: 'ver_1', ...outcome },
  episode: null,
  integrity: null,
  plainText: null,
  envelope: null,
  recheck: null,
});

/** The scripted behaviour. */
interface Script {
  project: { -readonly [K in keyof GatewayProject]: GatewayProject[K] };
  route: GatewayRoute;
  shouldVerify: boolean;
  unavailable: boolean;
  breaker: boolean;
  finish: ProxyDeps['finishAnswer'];
  overrides: Partial<ProxyDeps>;
}

type Recorded = Pick<TestProxy, 'captured' | 'counted' | 'buffered' | 'endedSessions'> & {
  readonly end: () => void;
};

export async function startProxy(
  baseUrl: string,
  api: 'openai' | 'anthropic' = 'openai',
  limits: Partial<UpstreamLimits> = {},
  budget?: BufferBudget,
): Promise<TestProxy> {
  const project = {
    id: 'prj_1',
    slug: 'test',
    integrityOff: false,
    derivedCountsAsSourced: false,
    masks: null,
    turnAuthority: unbound,
    providers: [],
  };
  const routeWith = (settings: object) => routeTo({ project, baseUrl, api, settings });
  const finish: ProxyDeps['finishAnswer'] = async (_request, answer) => passed(answer);
  const script: Script = {
    project,
    route: routeWith({}),
    shouldVerify: false,
    unavailable: false,
    breaker: false,
    finish,
    overrides: {},
  };
  const ends: (() => void)[] = [];
  const end = (): void => {
    for (const resolve of ends.splice(0)) resolve();
  };
  const recorded: Recorded = { captured: [], counted: [], buffered: [], endedSessions: [], end };
  const forward = createForward(
    { allow: new Set([new URL(baseUrl).host]) },
    { ...defaultUpstreamLimits, ...limits },
  );
  const defaults = defaultDeps(script, recorded, forward);
  const gateway = createGateway(
    new Proxy(defaults, {
      get: (target, name: keyof ProxyDeps) => script.overrides[name] ?? target[name],
    }),
    budget,
  );
  const server = createServer({ noDelay: true }, (request, response) => {
    if (!gateway.handle(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    gateway,
    captured: recorded.captured,
    counted: recorded.counted,
    buffered: recorded.buffered,
    endedSessions: recorded.endedSessions,
    set: {
      settings: (settings) => void (script.route = routeWith(settings)),
      shouldVerify: (shouldVerify) => void (script.shouldVerify = shouldVerify),
      finish: (next) => void (script.finish = next),
      deps: (more) => void (script.overrides = more),
      unavailable: (unavailable) => void (script.unavailable = unavailable),
      breaker: (open) => void (script.breaker = open),
      integrityOff: (off) => void (project.integrityOff = off),
    },
    nextEnd: () => new Promise((resolve) => ends.push(resolve)),
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

/** A route with a stored key for its origin. */
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

function defaultDeps(script: Script, recorded: Recorded, forward: Forward): ProxyDeps {
  const { project } = script;
  return {
    snapshot: {
      authorize(authorization, apiKeys, xAssayKey) {
        const { text, virtual } = readPresented(authorization, apiKeys, xAssayKey);
        if (text === assayKey) return { state: 'ok', project, virtual, keyId: 'key_1' };
        if (text === 'asy_unknown') return null;
        return { state: 'refused', status: 401, code: 'unauthorized', message: 'no key' };
      },
      authorizeUnknown: async () => ({ state: 'ok', project, virtual: true, keyId: 'key_2' }),
      routeOf: (_project, name) => (name === 'test' ? script.route : null),
    },
    turns: {
      advance: () => ({ units: 1000, counter: 3000, shouldVerify: script.shouldVerify }),
      endVerification: (_projectId, sessionId) => void recorded.endedSessions.push(sessionId),
    },
    breakers: { isOpen: () => script.breaker },
    finishAnswer(request, answer, state, signal) {
      recorded.buffered.push({ request, answer, state, signal });
      return script.finish(request, answer, state, signal);
    },
    recorder: {
      note(each) {
        recorded.captured.push(each);
        recorded.end();
      },
      count(_route, outcome) {
        recorded.counted.push(outcome);
        recorded.end();
      },
      isUnavailable: () => script.unavailable,
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
