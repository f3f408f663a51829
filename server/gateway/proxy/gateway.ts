import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayDialect } from '../../domain';
import type { GatewayRoute, KeyGap } from '../exchange';
import { requestHeaders } from './headers';
import type { KeyHeader } from '../dialects/paths';
import { credentialIn, type Upstream } from './upstreams';
import { isOpenPath } from '../routes/open-paths';
import { type Address, isAbsolute, readAddress, withoutQueryKey } from './address';
import { ClientAnswer } from './client-answer';
import type { Authorized, ProxyDeps } from './deps';
import { BufferBudget } from './buffer-budget';
import { ProxiedCall } from './model-call';
import { namesIn } from './names-in-headers';
import { refuse, type Refusal } from './refuse';
import { Relay } from './relay';
import { MODEL_BODY_BYTES_MAX, takeBody } from './take-body';

export interface Gateway {
  /** Serves a request to `/gateway/…`; false for any other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Calls in progress. */
  readonly open: number;
  /** Resolves once no call is open. */
  drain(): Promise<void>;
}

type Ok = Authorized & { readonly state: 'ok' };

/**
 * Handles gateway requests on Node's HTTP server: authenticates, resolves the route and forwards.
 * Touches no storage in the call path.
 */
export function createGateway(deps: ProxyDeps, budget = new BufferBudget()): Gateway {
  let open = 0;
  const waiting: (() => void)[] = [];
  const ended = (): void => {
    open--;
    if (open === 0) for (const resolve of waiting.splice(0)) resolve();
  };

  return {
    handle(request, response) {
      const target = request.url ?? '';
      if (!target.startsWith('/gateway/') && !isAbsolute(target)) return false;
      const answer = new ClientAnswer(response);
      const address = readAddress(target);
      if (address === null || 'fault' in address) {
        refuse(answer, target.includes('/messages') ? 'messages' : 'chat', noAddress(address));
        return true;
      }
      const begin = (sender: Authorized): void => {
        if (response.destroyed || request.socket.destroyed) return;
        if (sender.state === 'refused') refuse(answer, errorShape(address, null), sender);
        else {
          open++;
          const inApiKey = keyIn(request.headers['api-key'])?.startsWith('asy_') === true;
          const keyHeader = address.keyHeader ?? (inApiKey ? 'api-key' : null);
          serve(deps, { request, answer, address, keyHeader, sender, budget, ended });
        }
      };
      if (echoes.has(request.method ?? '')) {
        refuse(answer, errorShape(address, null), {
          status: 405,
          code: 'method_not_allowed',
          message: `the method ${request.method} is not supported`,
        });
        return true;
      }
      const { authorization, 'x-assay-key': xAssayKey } = request.headers;
      const presented = [
        filled(authorization),
        apiKeysIn(request.headers, address),
        filled(keyIn(xAssayKey)),
      ] as const;
      const sender = deps.snapshot.authorize(...presented);
      if (sender !== null) begin(sender);
      else {
        deps.snapshot.authorizeUnknown(...presented).then(begin, (error: unknown) => {
          deps.log.error({ err: error }, 'a key could not be checked');
          begin({
            state: 'refused',
            status: 503,
            code: 'unavailable',
            message: 'the API key cannot be checked at the moment; send the request again',
          });
        });
      }
      return true;
    },
    get open() {
      return open;
    },
    drain: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** Methods whose answers could reveal the stored key or open a tunnel past the gateway. */
const echoes = new Set(['TRACE', 'CONNECT']);

/** The keys that SDKs send in their own headers, and in the query of Google's API. */
function apiKeysIn(sent: IncomingMessage['headers'], { queryKey }: Address): string[] {
  const keys = keyHeaders.map((name) => filled(keyIn(sent[name])));
  return [...keys, filled(queryKey ?? undefined)].filter((key) => key !== undefined);
}

const keyHeaders = ['x-api-key', 'api-key', 'x-goog-api-key'] as const;

/** Undefined for a header that is empty or only names its scheme. */
const filled = (value: string | undefined): string | undefined =>
  value !== undefined && value.length < 16 && /^\s*(?:bearer\s*)?$/i.test(value)
    ? undefined
    : value;

/**
 * Returns the single distinct value of a repeated header, if there is one. Node joins repeated
 * headers with commas, which no key contains.
 */
function keyIn(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value.join(',') : value;
  if (text?.includes(',') !== true) return text;
  const values = new Set(text.split(',').flatMap((part) => filled(part.trim()) ?? []));
  return values.size > 1 ? text : [...values][0];
}

function noAddress(address: { readonly fault: string } | null): Refusal {
  if (address !== null)
    return {
      status: 400,
      code: 'invalid_request',
      message: `${address.fault}; nothing was sent upstream`,
    };
  return {
    status: 404,
    code: 'not_found',
    message:
      'no such address; the gateway serves /gateway/{route}/ followed by v1/, openai/, v1beta/ or api/, and the paths below',
  };
}

interface Served {
  readonly request: IncomingMessage;
  readonly answer: ClientAnswer;
  readonly address: Address;
  /** Where the stored key goes; null means the header of the route's API. */
  readonly keyHeader: KeyHeader | null;
  readonly sender: Ok;
  readonly budget: BufferBudget;
  readonly ended: () => void;
}

function serve(deps: ProxyDeps, served: Served): void {
  const { answer, address, sender, ended } = served;
  const route = deps.snapshot.routeOf(sender.project, address.route);
  const refuseCall = (refusal: Refusal): void => {
    refuse(answer, errorShape(address, route), refusal);
    ended();
  };
  if (route === null) {
    refuseCall({
      status: 404,
      code: 'not_found',
      message: `no route "${address.route}" in this project`,
    });
    return;
  }
  if (sender.virtual && route.keyGap !== null) {
    refuseCall(withoutKey(route, route.keyGap));
    return;
  }
  const { method = 'GET' } = served.request;
  const isModelCall = method === 'POST' && address.dialect !== null;
  if (!isModelCall && !isOpenPath(method, address.plainPath, route.settings.allow_paths)) {
    refuseCall(closedPath(method, address));
    return;
  }
  if (isClosed(deps, route)) {
    refuseCall({
      status: 503,
      code: 'not_recordable',
      message: 'calls cannot be recorded at the moment, and this route answers recorded calls only',
    });
    return;
  }
  let upstream: Upstream;
  try {
    upstream = deps.forward.upstreamOf(route);
  } catch (error) {
    deps.log.warn({ err: error, route: route.name }, 'a route cannot be called');
    refuseCall({
      status: 502,
      code: 'upstream_refused',
      message: 'the route leads to an address that is not allowed',
    });
    return;
  }
  if (isModelCall && address.dialect !== null)
    serveModel(deps, served, route, upstream, address.dialect);
  else servePlain(deps, served, route, upstream);
}

/**
 * Upstream paths other than model calls are closed until the route opens them (online.md 6): the
 * stored key has access to all of them.
 */
function closedPath(method: string, { route, plainPath }: Address): Refusal {
  const path =
    plainPath.length > SHOWN_CHARS_MAX ? `${plainPath.slice(0, SHOWN_CHARS_MAX)}…` : plainPath;
  const message = `${method} ${path} is not open on the route "${route}": add it to the route's setting "allow_paths"`;
  return { status: 403, code: 'path_not_allowed', message };
}

const SHOWN_CHARS_MAX = 200;

/**
 * A call with only the Assay key is not sent to an address without a known key: no one chose to
 * send it there (api.md, Gateway).
 */
function withoutKey({ name }: GatewayRoute, { kind, message }: KeyGap): Refusal {
  if (kind === 'no_provider') return { status: 404, code: 'not_found', message };
  return { status: 502, code: 'upstream_refused', message: `route "${name}": ${message}` };
}

/** A route that observes and fails closed needs storage, or its calls are never judged. */
function isClosed({ recorder }: ProxyDeps, { settings, project }: GatewayRoute): boolean {
  return (
    settings.fail_closed &&
    settings.integrity.mode === 'observe' &&
    !project.integrityOff &&
    recorder.isUnavailable()
  );
}

function serveModel(
  deps: ProxyDeps,
  served: Served,
  route: GatewayRoute,
  upstream: Upstream,
  dialect: GatewayDialect,
): void {
  const { request, answer, address, sender, budget, ended } = served;
  const [startedAt, startedOn] = [deps.clock.monotonicMs(), deps.clock.now()];
  const facts = {
    route,
    dialect,
    keyId: sender.keyId,
    path: pathTo(served, upstream),
    names: namesIn(request.headers),
    startedAt,
    startedOn,
  };
  const call = new ProxiedCall({
    deps,
    answer,
    route,
    dialect: errorShape(address, route),
    ended,
    facts,
    incoming: request,
    upstream,
    virtual: sender.virtual,
    credential: credentialOf(served, upstream),
    budget,
  });
  takeBody(request, MODEL_BODY_BYTES_MAX, deps.mayPrepare(route), {
    ready(body) {
      try {
        call.send(body);
      } catch (error) {
        call.onError(error instanceof Error ? error : new Error(String(error)));
      }
    },
    passing: (chunk) => call.passing(chunk),
    tooLarge() {
      const message = `the body is larger than ${MODEL_BODY_BYTES_MAX} bytes (20 MiB)`;
      call.giveUp({ status: 413, code: 'too_large', message });
    },
    refused: (fault) => call.giveUp(keyInBody(fault)),
  });
}

function servePlain(
  deps: ProxyDeps,
  served: Served,
  route: GatewayRoute,
  upstream: Upstream,
): void {
  const { request, answer, address, sender, ended } = served;
  const relay = new Relay({ deps, answer, route, dialect: errorShape(address, route), ended });
  takeBody(request, Number.POSITIVE_INFINITY, false, {
    ready(body) {
      const headers = requestHeaders(request.rawHeaders, {
        credential: credentialOf(served, upstream),
        passCredentials: !sender.virtual,
        askIdentity: sender.virtual && upstream.secret !== null,
        keepLength: body !== null && !Buffer.isBuffer(body),
      });
      try {
        deps.forward.dispatch(
          upstream,
          { method: request.method ?? 'GET', path: pathTo(served, upstream), headers, body },
          relay,
        );
      } catch (error) {
        relay.onError(error instanceof Error ? error : new Error(String(error)));
      }
    },
    passing: () => undefined,
    tooLarge: () => undefined,
    refused: (fault) => relay.giveUp(keyInBody(fault)),
  });
}

/** Path and query as sent upstream. A client that uses the stored key sends no other. */
function pathTo({ address, sender }: Served, { prefix, root }: Upstream): string {
  const path = sender.virtual ? withoutQueryKey(address) : address.path;
  return (address.below === 'base' ? prefix : root) + path;
}

const credentialOf = ({ keyHeader, sender }: Served, upstream: Upstream) =>
  sender.virtual ? credentialIn(upstream, keyHeader) : null;

const keyInBody = (message: string): Refusal => ({
  status: 400,
  code: 'assay_key_in_body',
  message,
});

/** The error format of the client's library, by path, else by the route's API. */
function errorShape(address: Address, route: GatewayRoute | null): GatewayDialect {
  return (
    (address.dialect === 'embeddings' ? null : address.dialect) ??
    address.errors ??
    (route?.api === 'anthropic' || address.route === 'anthropic' ? 'messages' : 'chat')
  );
}
