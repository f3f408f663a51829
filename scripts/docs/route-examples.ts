// One request for every route of the HTTP API, in an order in which each request finds the data
// that it needs. The reference shows them, and `route-examples.int.test.ts` sends them to a real
// server.

import { intakeAliases } from '../../server/api/http';
import { decomposition, langfuseBatch, logs, span, task, traces, turn } from './example-data';
import { experimentExamples } from './experiment-examples';

export interface RouteExample {
  /** Name of the route: `GET /v1/rules/{name}`. */
  readonly route: string;
  /** The path as sent; `$name` is a value from an earlier response. */
  readonly path: string;
  readonly body?: unknown;
  /** The request's own `content-type` and text, if it is not JSON. */
  readonly raw?: { readonly type: string; readonly text: string };
  readonly status?: number;
  /** Values for later paths: name → path in the response. */
  readonly save?: Readonly<Record<string, string>>;
  /** Whether a worker processes the pending work before the next request. */
  readonly drain?: true;
}

/** The exports at each of the API's own paths. */
const exportOf = {
  '/v1/traces': traces,
  '/v1/logs': logs,
  '/v1/metrics': { resourceMetrics: [] },
} as const;

export const routeExamples: readonly RouteExample[] = [
  { route: 'POST /v1/turns', path: '/v1/turns', body: { turns: [turn] }, status: 202 },
  ...[
    ...(['/v1/traces', '/v1/logs', '/v1/metrics'] as const).map((path) => ({ path, route: path })),
    ...intakeAliases,
  ].map(({ path, route }) => ({ route: `POST ${path}`, path, body: exportOf[route] })),
  {
    route: 'POST /api/public/ingestion',
    path: '/api/public/ingestion',
    body: langfuseBatch,
    status: 207,
    drain: true,
  },
  {
    route: 'GET /v1/verifications',
    path: '/v1/verifications?turn_id=t-1',
    save: { verification: 'data.0.id' },
  },
  { route: 'GET /v1/verifications/{id}', path: '/v1/verifications/$verification' },
  {
    route: 'POST /v1/verify/integrity',
    path: '/v1/verify/integrity',
    body: { session_id: 's-2', tools: turn.tools, output: turn.output },
  },
  { route: 'POST /v1/verify/task', path: '/v1/verify/task', body: task },
  { route: 'POST /verify-task', path: '/verify-task', body: task },
  {
    route: 'POST /v1/verify/code',
    path: '/v1/verify/code',
    body: {
      request: 'Create server.py with a Flask API that has the route /api/tasks',
      model: 'qwen2.5-coder-7b',
      files: [{ path: 'server.py', content: 'from flask import Flask\n' }],
      mode: 'async',
    },
    status: 202,
  },
  {
    route: 'POST /v1/contracts',
    path: '/v1/contracts',
    body: {
      request: 'Create server.py with a Flask API that has the route /api/tasks',
      model: 'qwen2.5-coder-7b',
    },
  },
  {
    route: 'POST /v1/verify/consistency',
    path: '/v1/verify/consistency',
    body: {
      outputs: [
        { task_id: 't-1', output: 'The outage began at 14:02.' },
        { task_id: 't-2', output: 'The outage began at 14:20.' },
      ],
      mode: 'async',
    },
    status: 202,
  },
  {
    route: 'POST /v1/verify/mission',
    path: '/v1/verify/mission',
    body: {
      mission_id: 'm-7',
      description: 'Report on the outage of web-1',
      tasks: [{ task_id: 't-3', output: 'web-1 was down for 12 minutes.' }],
      mode: 'async',
    },
    status: 202,
  },
  {
    route: 'POST /v1/verify/decomposition',
    path: '/v1/verify/decomposition',
    body: {
      query: 'Export invoices as CSV',
      complexity: 'SIMPLE',
      trace_id: 'request-1',
      decomposition,
      scores: {
        completeness: 0.9,
        consistency: 0.9,
        groundedness: 0.8,
        routability: 1,
        overall: 0.9,
        verdict: 'PASS',
        issues: [],
        suggestions: [],
      },
    },
  },
  {
    route: 'POST /v1/verify/agent-output',
    path: '/v1/verify/agent-output',
    body: {
      trace_id: 'request-1',
      subgoal: { id: 's1', description: 'Read the invoices', critical: true },
      output: {
        agent: 'coder',
        summary: 'Read 214 invoices from the table.',
        data: { rows: 214 },
        confidence: 0.9,
        tools_used: ['sql'],
        metadata: {},
      },
    },
  },
  {
    route: 'POST /v1/verify/synthesis',
    path: '/v1/verify/synthesis',
    body: {
      trace_id: 'request-1',
      query: 'How full is web-1?',
      answer: 'The disk of web-1 is 91.4% full.',
      agent_outputs: [
        {
          id: 'o1',
          agent: 'disk-agent',
          summary: 'The disk of web-1 is 91.4% full.',
          data: { disk_pct: 91.4 },
        },
      ],
    },
  },
  {
    route: 'POST /v1/verify/turn',
    path: '/v1/verify/turn',
    body: {
      messages: [{ role: 'user', content: 'How full is web-1?' }],
      completion: 'web-1 is rather full.',
      mode: 'async',
    },
    status: 202,
  },
  {
    route: 'POST /v1/outcomes',
    path: '/v1/outcomes',
    body: { outcomes: [{ id: 'o-1', turn_id: 't-1', success: false, source: 'ci' }] },
    status: 202,
  },
  {
    route: 'POST /v1/verifications/{id}/overrides',
    path: '/v1/verifications/$verification/overrides',
    body: { id: 'r-1', verdict: 'fail', reason: '21 GiB is in no source', grade: 2 },
    status: 201,
    drain: true,
  },
  ...experimentExamples,
  {
    route: 'POST /v1/labels',
    path: '/v1/labels',
    body: { id: 'l-1', turn_id: 't-1', verifier: 'integrity', verdict: 'fail', grade: 2 },
    status: 201,
  },
  { route: 'GET /v1/labels', path: '/v1/labels?subject_id=t-1' },
  { route: 'DELETE /v1/labels/{id}', path: '/v1/labels/l-1' },
  {
    route: 'DELETE /v1/verifications/{id}/overrides/{override}',
    path: '/v1/verifications/$verification/overrides/r-1',
  },
  { route: 'GET /v1/metrics/verifiers', path: '/v1/metrics/verifiers?verifier=integrity' },
  { route: 'GET /v1/metrics/judges', path: '/v1/metrics/judges' },
  { route: 'GET /v1/metrics/models', path: '/v1/metrics/models' },
  { route: 'GET /v1/missions/{id}', path: '/v1/missions/m-7' },
  {
    route: 'PUT /v1/missions/{id}/settings',
    path: '/v1/missions/m-7/settings',
    body: { review_above_usd: 5, reason: 'Budget of the team' },
  },
  { route: 'GET /v1/missions/{id}/settings', path: '/v1/missions/m-7/settings' },
  { route: 'POST /v1/missions/{id}/end', path: '/v1/missions/m-7/end', status: 202 },
  { route: 'POST /v1/sessions/{id}/end', path: '/v1/sessions/s-1/end', status: 202 },
  {
    route: 'POST /v1/rules/preview',
    path: '/v1/rules/preview',
    body: {
      verifier: 'task',
      filter: { tags: ['prod'], verdict: { verifier: 'integrity', outcome: ['failed'] } },
      sampling: 0.1,
      limit: 100,
    },
  },
  {
    route: 'PUT /v1/rules/{name}',
    path: '/v1/rules/production',
    body: {
      verifier: 'integrity',
      filter: { model: 'openai/*', tags: ['prod'], has_sources: true },
      sampling: 0.25,
      daily_budget: 1000,
    },
  },
  { route: 'GET /v1/rules', path: '/v1/rules' },
  { route: 'GET /v1/rules/{name}', path: '/v1/rules/production' },
  {
    route: 'POST /v1/rules/{name}/backfill',
    path: '/v1/rules/production/backfill',
    body: { from: '2026-01-01T00:00:00Z' },
    status: 202,
    save: { job: 'id' },
  },
  { route: 'GET /v1/jobs/{id}', path: '/v1/jobs/$job' },
  { route: 'DELETE /v1/jobs/{id}', path: '/v1/jobs/$job' },
  { route: 'GET /v1/decisions', path: '/v1/decisions?subject_id=t-1' },
  { route: 'DELETE /v1/rules/{name}', path: '/v1/rules/production' },
  {
    route: 'POST /v1/import',
    path: `/v1/import?mapping=${encodeURIComponent('{"format":"jsonl","id":"id","input":"q","output":"a"}')}`,
    raw: {
      type: 'application/x-ndjson',
      text: '{"id":"row-1","q":"How full is web-1?","a":"91.4% full."}\n',
    },
    status: 202,
    drain: true,
  },
  { route: 'GET /v1/traces', path: '/v1/traces?limit=10' },
  { route: 'GET /v1/traces/{id}', path: `/v1/traces/${span.traceId}` },
  { route: 'GET /v1/sessions', path: '/v1/sessions?limit=10' },
  { route: 'GET /v1/sessions/{id}', path: '/v1/sessions/s-1' },
  { route: 'GET /v1/sessions/{id}/turns', path: '/v1/sessions/s-1/turns?limit=10' },
  { route: 'GET /v1/turns', path: '/v1/turns?session_id=s-1' },
  { route: 'GET /v1/turns/{id}', path: '/v1/turns/t-1' },
  { route: 'GET /v1/thresholds', path: '/v1/thresholds?verifier=task' },
  {
    route: 'PUT /v1/thresholds/{verifier}/{key}',
    path: '/v1/thresholds/task/pass_threshold',
    body: { value: 0.8, reason: 'Too many weak reports passed' },
  },
  {
    route: 'POST /v1/thresholds/{verifier}/{key}/simulate',
    path: '/v1/thresholds/task/pass_threshold/simulate',
    body: { values: [0.6, 0.65], days: 30 },
  },
  {
    route: 'PUT /v1/verifiers/{verifier}',
    path: '/v1/verifiers/refund-basics',
    body: {
      name: 'Refund basics',
      kind: 'checks',
      targets: ['turn', 'trace'],
      checks: [
        { check: 'contains', value: 'refund', must_pass: true },
        { check: 'latency_ms', max: 5000 },
      ],
      thresholds: { pass_threshold: 0.9 },
    },
  },
  { route: 'GET /v1/verifiers', path: '/v1/verifiers' },
  { route: 'GET /v1/verifiers/{verifier}', path: '/v1/verifiers/refund-basics' },
  {
    route: 'POST /v1/verify/{verifier}',
    path: '/v1/verify/refund-basics',
    body: { subject: { output: 'You get a refund.', latency_ms: 812 }, id: 'refund-1' },
  },
  {
    route: 'POST /v1/verifiers/{verifier}/try',
    path: '/v1/verifiers/refund-basics/try',
    body: { subjects: [{ output: 'You get a refund.', latency_ms: 812 }], wait_ms: 0 },
    status: 202,
  },
  { route: 'DELETE /v1/verifiers/{verifier}', path: '/v1/verifiers/refund-basics' },
  {
    route: 'PUT /v1/providers/{name}',
    path: '/v1/providers/openai',
    body: { kind: 'openai', api_key: 'sk-example', models: ['gpt-4o-mini'], enabled: true },
  },
  { route: 'GET /v1/providers', path: '/v1/providers' },
  { route: 'GET /v1/prompts', path: '/v1/prompts' },
  { route: 'GET /v1/prompts/{slug}', path: '/v1/prompts/task-rubric' },
  {
    route: 'GET /v1/prompts/{slug}/versions/{version}',
    path: '/v1/prompts/task-rubric/versions/0',
    save: { prompt: 'body' },
  },
  {
    route: 'POST /v1/prompts/{slug}/versions',
    path: '/v1/prompts/task-rubric/versions',
    body: { body: '$prompt', message: 'Ask for the reason first' },
    status: 201,
  },
  {
    route: 'POST /v1/prompts/{slug}/versions/{version}/trials',
    path: '/v1/prompts/task-rubric/versions/1/trials',
    body: { subjects: 50, held_out: false },
    status: 202,
    save: { trial: 'id' },
  },
  { route: 'GET /v1/prompts/{slug}/trials/{id}', path: '/v1/prompts/task-rubric/trials/$trial' },
  {
    route: 'PUT /v1/prompts/{slug}/labels/{label}',
    path: '/v1/prompts/task-rubric/labels/production',
    body: { version: 1 },
  },
  { route: 'DELETE /v1/providers/{name}', path: '/v1/providers/openai' },
  { route: 'GET /v1/settings', path: '/v1/settings' },
  {
    route: 'PUT /v1/settings',
    path: '/v1/settings',
    body: { allow_user_figures: true, cost_budget_share: 0.2 },
  },
  {
    route: 'PUT /v1/gateway/routes/{route}',
    path: '/v1/gateway/routes/openai',
    body: { integrity: { mode: 'hold' }, fail_closed: false },
  },
  { route: 'GET /v1/gateway/routes', path: '/v1/gateway/routes' },
  { route: 'GET /v1/gateway/routes/{route}', path: '/v1/gateway/routes/openai' },
  { route: 'DELETE /v1/gateway/routes/{route}', path: '/v1/gateway/routes/openai' },
  {
    route: 'POST /v1/destinations',
    path: '/v1/destinations',
    body: {
      kind: 'webhook',
      name: 'Build server',
      url: 'https://ci.example.org/assay',
      sends: ['verdicts', 'alerts'],
      outcomes: ['failed'],
    },
    status: 201,
    save: { destination: 'id' },
  },
  { route: 'GET /v1/destinations', path: '/v1/destinations' },
  {
    route: 'PUT /v1/destinations/{id}',
    path: '/v1/destinations/$destination',
    body: { name: 'Build server', url: 'https://ci.example.org/verdicts', sends: ['verdicts'] },
  },
  {
    // Without Slack's signature the answer is 401.
    route: 'POST /v1/destinations/{id}/actions',
    path: '/v1/destinations/$destination/actions',
    raw: {
      type: 'application/x-www-form-urlencoded',
      text: 'payload=%7B%22type%22%3A%22block_actions%22%7D',
    },
    status: 401,
  },
  {
    route: 'GET /v1/deliveries',
    path: '/v1/deliveries?state=dead',
    save: { delivery: 'data.0.id' },
  },
  { route: 'POST /v1/deliveries/{id}/replay', path: '/v1/deliveries/$delivery/replay' },
  { route: 'DELETE /v1/destinations/{id}', path: '/v1/destinations/$destination' },
  { route: 'GET /v1/findings', path: '/v1/findings?state=open' },
  {
    route: 'POST /v1/findings/{id}/acknowledge',
    path: '/v1/findings/alr_06h01/acknowledge',
    body: { reason: 'The provider is down; its status page says until noon.' },
  },
  { route: 'GET /v1/reports', path: '/v1/reports?limit=10', save: { report: 'data.0.id' } },
  { route: 'GET /v1/reports/{id}', path: '/v1/reports/$report' },
  { route: 'GET /v1/reports/{id}.md', path: '/v1/reports/$report.md' },
  {
    route: 'POST /v1/deletions',
    path: '/v1/deletions',
    body: { kind: 'user', id: 'user-42' },
    save: { deletion: 'id' },
  },
  { route: 'GET /v1/deletions/{id}', path: '/v1/deletions/$deletion' },
  { route: 'DELETE /v1/turns/{id}', path: '/v1/turns/t-1' },
  { route: 'DELETE /v1/traces/{id}', path: `/v1/traces/${span.traceId}` },
  { route: 'DELETE /v1/sessions/{id}', path: '/v1/sessions/s-2' },
  { route: 'GET /healthz', path: '/healthz' },
  { route: 'GET /readyz', path: '/readyz' },
  { route: 'GET /openapi.json', path: '/openapi.json' },
  { route: 'GET /docs', path: '/docs' },
];
