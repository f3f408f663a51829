import { type CallOptions, callRoute, type LooseInput, pagesOf } from './call-route';
import type { Settings } from './options';
import type { ApiRoutes } from './routes';
import type { Verification } from './turn';

/** Reading, labels, datasets and experiments: calls that wait for their answer. */

/** A route of the HTTP API, such as `GET /v1/turns/{id}`. */
export type RouteName = keyof ApiRoutes;

/** The body of a route's answer. */
export type RouteAnswer<R extends RouteName> = ApiRoutes[R]['answer'];

/** The parts of a route's request: `params` of its path, `query` and `body`. */
export type RouteParts<R extends RouteName> = Omit<ApiRoutes[R], 'answer'>;

/** A route whose list is read page by page. */
export type ListRoute = {
  [R in RouteName]: ApiRoutes[R] extends {
    query?: { limit?: number; cursor?: string };
    answer: { data: unknown[] };
  }
    ? R
    : never;
}[RouteName];

/** An entry of a list. */
export type ListItem<R extends ListRoute> = ApiRoutes[R]['answer']['data'][number];

type QueryOf<R extends RouteName> = ApiRoutes[R] extends { query?: infer Q } ? Q : never;
type BodyOf<R extends RouteName> = ApiRoutes[R] extends { body: infer B } ? B : never;

type CallInput<R extends RouteName> =
  Record<never, never> extends RouteParts<R>
    ? [input?: RouteParts<R> & CallOptions]
    : [input: RouteParts<R> & CallOptions];

/**
 * Every method rejects with an AssayError: the server's code, or `unreachable`, `invalid`,
 * `misconfigured`. Lists are read page by page while they are iterated.
 */
export interface AssayApi extends Routing, VerdictCalls, ContentCalls, DatasetCalls {}

interface Routing {
  /** Any route, retried while that may help: `call('GET /v1/turns/{id}', { params: { id } })`. */
  readonly call: <R extends RouteName>(route: R, ...input: CallInput<R>) => Promise<RouteAnswer<R>>;
  /** All entries of a list: `for await (const turn of list('GET /v1/turns'))`. */
  readonly list: <R extends ListRoute>(
    route: R,
    ...input: CallInput<R>
  ) => AsyncIterable<ListItem<R>>;
}

interface VerdictCalls {
  getVerification(id: string): Promise<Verification>;
  /** Newest first. */
  listVerifications(filters?: QueryOf<'GET /v1/verifications'>): AsyncIterable<Verification>;
  /** A person's ruling on a verdict, its grade (1 to 5) or its resolution. */
  override(
    verificationId: string,
    ruling: BodyOf<'POST /v1/verifications/{id}/overrides'>,
  ): Promise<RouteAnswer<'POST /v1/verifications/{id}/overrides'>>;
  undoOverride(
    verificationId: string,
    overrideId: string,
  ): Promise<RouteAnswer<'DELETE /v1/verifications/{id}/overrides/{override}'>>;
  /** A verdict, a score or a grade for a turn, another subject or a verification. */
  label(label: BodyOf<'POST /v1/labels'>): Promise<RouteAnswer<'POST /v1/labels'>>;
  listLabels(filters?: QueryOf<'GET /v1/labels'>): AsyncIterable<ListItem<'GET /v1/labels'>>;
  undoLabel(id: string): Promise<RouteAnswer<'DELETE /v1/labels/{id}'>>;

  /** Accuracy of each verifier, measured by labels and outcomes. */
  getVerifierMeasures(
    query?: QueryOf<'GET /v1/metrics/verifiers'>,
  ): Promise<RouteAnswer<'GET /v1/metrics/verifiers'>>;
  /** Results of each model by verifier. */
  getModelMeasures(): Promise<RouteAnswer<'GET /v1/metrics/models'>>;
  listFindings(filters?: QueryOf<'GET /v1/findings'>): AsyncIterable<ListItem<'GET /v1/findings'>>;
  acknowledgeFinding(
    id: string,
    reason?: string,
  ): Promise<RouteAnswer<'POST /v1/findings/{id}/acknowledge'>>;
}

interface ContentCalls {
  /** A turn as sent, with its verdicts. */
  getTurn(id: string): Promise<RouteAnswer<'GET /v1/turns/{id}'>>;
  listTurns(filters?: QueryOf<'GET /v1/turns'>): AsyncIterable<ListItem<'GET /v1/turns'>>;
  /** With `content: 'true'`, the spans have their inputs and outputs. */
  getTrace(
    id: string,
    query?: QueryOf<'GET /v1/traces/{id}'>,
  ): Promise<RouteAnswer<'GET /v1/traces/{id}'>>;
  listTraces(filters?: QueryOf<'GET /v1/traces'>): AsyncIterable<ListItem<'GET /v1/traces'>>;
  getSession(id: string): Promise<RouteAnswer<'GET /v1/sessions/{id}'>>;
  listSessions(filters?: QueryOf<'GET /v1/sessions'>): AsyncIterable<ListItem<'GET /v1/sessions'>>;
  /** In the order of the conversation. */
  listSessionTurns(id: string): AsyncIterable<ListItem<'GET /v1/sessions/{id}/turns'>>;
  /** Rules on sessions apply now instead of after the idle time. */
  endSession(id: string): Promise<RouteAnswer<'POST /v1/sessions/{id}/end'>>;
  getMission(id: string): Promise<RouteAnswer<'GET /v1/missions/{id}'>>;
  endMission(id: string): Promise<RouteAnswer<'POST /v1/missions/{id}/end'>>;
}

interface DatasetCalls {
  listDatasets(): AsyncIterable<ListItem<'GET /v1/datasets'>>;
  getDataset(slug: string): Promise<RouteAnswer<'GET /v1/datasets/{slug}'>>;
  /** Creates a dataset, or changes its name and description. */
  putDataset(
    slug: string,
    dataset: BodyOf<'PUT /v1/datasets/{slug}'>,
  ): Promise<RouteAnswer<'PUT /v1/datasets/{slug}'>>;
  deleteDataset(slug: string): Promise<RouteAnswer<'DELETE /v1/datasets/{slug}'>>;
  /** Stores items as the next version; the mode `replace` removes all others. */
  addItems(
    slug: string,
    items: BodyOf<'POST /v1/datasets/{slug}/items'>['items'],
    mode?: 'append' | 'replace',
  ): Promise<RouteAnswer<'POST /v1/datasets/{slug}/items'>>;
  /** The items of a version; of the latest by default. */
  listItems(
    slug: string,
    filters?: { version?: number; split?: string; tag?: string },
  ): AsyncIterable<ListItem<'GET /v1/datasets/{slug}/versions/{version}/items'>>;
  listExperiments(
    filters?: QueryOf<'GET /v1/experiments'>,
  ): AsyncIterable<ListItem<'GET /v1/experiments'>>;
  getExperiment(id: string): Promise<RouteAnswer<'GET /v1/experiments/{id}'>>;
  listExperimentRows(
    id: string,
    filters?: QueryOf<'GET /v1/experiments/{id}/rows'>,
  ): AsyncIterable<ListItem<'GET /v1/experiments/{id}/rows'>>;
  /** The first of the ids is the baseline. */
  compareExperiments(
    ids: readonly [string, string, ...string[]],
    verifier?: string,
  ): Promise<RouteAnswer<'GET /v1/experiments/compare'>>;
}

interface Caller extends Routing {
  readonly byId: <R extends RouteName & `${string}{id}${string}`>(
    route: R,
    id: string,
    more?: LooseInput,
  ) => Promise<RouteAnswer<R>>;
}

export function createApi(settings: Settings): AssayApi {
  const call: Routing['call'] = (route, ...[input]) =>
    callRoute(settings, route, input as LooseInput | undefined) as Promise<
      RouteAnswer<typeof route>
    >;
  const list: Routing['list'] = (route, ...[input]) =>
    pagesOf(settings, route, input as LooseInput | undefined) as AsyncIterable<
      ListItem<typeof route>
    >;
  const byId: Caller['byId'] = (route, id, more) =>
    callRoute(settings, route, { params: { id }, ...more }) as Promise<RouteAnswer<typeof route>>;
  const caller = { call, list, byId };
  return {
    call,
    list,
    ...verdictCalls(caller),
    ...contentCalls(caller),
    ...datasetCalls(caller),
  };
}

const verdictCalls = ({ call, list, byId }: Caller): VerdictCalls => ({
  // The server's type and the client's describe the same object.
  getVerification: (id) =>
    byId('GET /v1/verifications/{id}', id) as Promise<unknown> as Promise<Verification>,
  listVerifications: (query = {}) =>
    list('GET /v1/verifications', {
      query,
    }) as AsyncIterable<unknown> as AsyncIterable<Verification>,
  override: (id, body) => byId('POST /v1/verifications/{id}/overrides', id, { body }),
  undoOverride: (id, override) =>
    call('DELETE /v1/verifications/{id}/overrides/{override}', { params: { id, override } }),
  label: (body) => call('POST /v1/labels', { body }),
  listLabels: (query = {}) => list('GET /v1/labels', { query }),
  undoLabel: (id) => byId('DELETE /v1/labels/{id}', id),
  getVerifierMeasures: (query = {}) => call('GET /v1/metrics/verifiers', { query }),
  getModelMeasures: () => call('GET /v1/metrics/models'),
  listFindings: (query = {}) => list('GET /v1/findings', { query }),
  acknowledgeFinding: (id, reason) =>
    byId('POST /v1/findings/{id}/acknowledge', id, { body: { reason } }),
});

const contentCalls = ({ list, byId }: Caller): ContentCalls => ({
  getTurn: (id) => byId('GET /v1/turns/{id}', id),
  listTurns: (query = {}) => list('GET /v1/turns', { query }),
  getTrace: (id, query = {}) => byId('GET /v1/traces/{id}', id, { query }),
  listTraces: (query = {}) => list('GET /v1/traces', { query }),
  getSession: (id) => byId('GET /v1/sessions/{id}', id),
  listSessions: (query = {}) => list('GET /v1/sessions', { query }),
  listSessionTurns: (id) => list('GET /v1/sessions/{id}/turns', { params: { id } }),
  endSession: (id) => byId('POST /v1/sessions/{id}/end', id),
  getMission: (id) => byId('GET /v1/missions/{id}', id),
  endMission: (id) => byId('POST /v1/missions/{id}/end', id),
});

const datasetCalls = ({ call, list, byId }: Caller): DatasetCalls => ({
  listDatasets: () => list('GET /v1/datasets'),
  getDataset: (slug) => call('GET /v1/datasets/{slug}', { params: { slug } }),
  putDataset: (slug, body) => call('PUT /v1/datasets/{slug}', { params: { slug }, body }),
  deleteDataset: (slug) => call('DELETE /v1/datasets/{slug}', { params: { slug } }),
  addItems: (slug, items, mode = 'append') =>
    call('POST /v1/datasets/{slug}/items', { params: { slug }, query: { mode }, body: { items } }),
  async *listItems(slug, { version, ...query } = {}) {
    const params = { slug };
    const latest = version ?? (await call('GET /v1/datasets/{slug}', { params })).version;
    yield* list('GET /v1/datasets/{slug}/versions/{version}/items', {
      params: { slug, version: String(latest) },
      query,
    });
  },
  listExperiments: (query = {}) => list('GET /v1/experiments', { query }),
  getExperiment: (id) => byId('GET /v1/experiments/{id}', id),
  listExperimentRows: (id, query = {}) =>
    list('GET /v1/experiments/{id}/rows', { params: { id }, query }),
  compareExperiments: (ids, verifier) =>
    call('GET /v1/experiments/compare', {
      query: { ids: ids.join(','), ...(verifier === undefined ? {} : { verifier }) },
    }),
});
