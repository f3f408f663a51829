import type { RouteExample } from './route-examples';

/** Datasets and experiments, part of `routeExamples`. */
export const experimentExamples: readonly RouteExample[] = [
  {
    route: 'PUT /v1/datasets/{slug}',
    path: '/v1/datasets/refunds',
    body: { name: 'Refunds', description: 'Questions about refunds' },
    status: 201,
  },
  {
    route: 'POST /v1/datasets/{slug}/items',
    path: '/v1/datasets/refunds/items',
    body: { items: [{ id: 'r-1', input: 'Can I return it?', reference: 'yes', split: 'dev' }] },
    status: 201,
  },
  {
    route: 'POST /v1/datasets/{slug}/items/from',
    path: '/v1/datasets/refunds/items/from',
    body: { filter: { verifier: 'integrity', outcome: 'failed' }, limit: 20 },
    status: 201,
  },
  { route: 'GET /v1/datasets', path: '/v1/datasets' },
  { route: 'GET /v1/datasets/{slug}', path: '/v1/datasets/refunds' },
  { route: 'GET /v1/datasets/{slug}/versions', path: '/v1/datasets/refunds/versions' },
  {
    route: 'GET /v1/datasets/{slug}/versions/{version}/items',
    path: '/v1/datasets/refunds/versions/1/items',
  },
  { route: 'GET /v1/datasets/{slug}/diff', path: '/v1/datasets/refunds/diff?from=0&to=1' },
  {
    route: 'POST /v1/experiments',
    path: '/v1/experiments',
    body: {
      name: 'Answers of build 42',
      dataset: 'refunds',
      target: { type: 'outputs' },
      verifiers: ['integrity'],
      branch: 'pr-123',
      commit: 'abc123',
    },
    status: 202,
    save: { experiment: 'id' },
  },
  { route: 'POST /v1/experiments/{id}/cancel', path: '/v1/experiments/$experiment/cancel' },
  {
    route: 'POST /v1/experiments/{id}/resume',
    path: '/v1/experiments/$experiment/resume',
    body: { budget_usd: 2 },
    status: 202,
  },
  {
    route: 'POST /v1/experiments/{id}/outputs',
    path: '/v1/experiments/$experiment/outputs',
    body: {
      outputs: [
        { item_id: 'r-1', output: 'Yes, within 30 days.', cost_usd: 0.001, latency_ms: 812 },
      ],
    },
    status: 202,
    drain: true,
  },
  {
    route: 'POST /v1/experiments/{id}/finish',
    path: '/v1/experiments/$experiment/finish',
    status: 202,
  },
  { route: 'GET /v1/experiments', path: '/v1/experiments?dataset=refunds' },
  { route: 'GET /v1/experiments/{id}', path: '/v1/experiments/$experiment' },
  {
    route: 'GET /v1/experiments/{id}/rows',
    path: '/v1/experiments/$experiment/rows?limit=2',
  },
  {
    route: 'GET /v1/experiments/compare',
    path: '/v1/experiments/compare?ids=$baseline,$experiment',
  },
  {
    route: 'GET /v1/experiments/compare/items',
    path: '/v1/experiments/compare/items?ids=$baseline,$experiment&limit=10',
  },
  {
    route: 'POST /v1/experiments/{id}/gate',
    path: '/v1/experiments/$experiment/gate',
    body: { min_pass_rate: { integrity: { at_least: 0.9, by: 'low' } }, max_cost_usd: 1 },
  },
  { route: 'DELETE /v1/datasets/{slug}', path: '/v1/datasets/refunds' },
];
