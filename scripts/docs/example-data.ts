/** The data that the examples of the routes send. */

const disk = { rows: [{ host: 'web-1', disk_pct: 91.4, free_gib: 17.2 }] };
export const turn = {
  id: 't-1',
  session_id: 's-1',
  model: 'openai/gpt-4o',
  input: [{ role: 'user', content: 'How full is web-1?' }],
  tools: [{ id: 'tc1', name: 'disk', result: disk }],
  output: 'web-1 is at 91.4%, with 21 GiB free.',
};
export const span = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  name: 'chat gpt-4o',
  startTimeUnixNano: '1764000000000000000',
  endTimeUnixNano: '1764000001000000000',
  attributes: [
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
    { key: 'gen_ai.response.model', value: { stringValue: 'gpt-4o' } },
    {
      key: 'gen_ai.output.messages',
      value: {
        stringValue:
          '[{"role":"assistant","parts":[{"type":"text","content":"web-1 is at 91.4%."}]}]',
      },
    },
  ],
};
export const traces = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
export const logs = {
  resourceLogs: [
    {
      scopeLogs: [
        {
          logRecords: [
            {
              traceId: span.traceId,
              spanId: span.spanId,
              timeUnixNano: '1764000000500000000',
              eventName: 'gen_ai.user.message',
              body: {
                kvlistValue: {
                  values: [{ key: 'content', value: { stringValue: 'How full is web-1?' } }],
                },
              },
            },
          ],
        },
      ],
    },
  ],
};
const observation = { traceId: 'order-17', id: 'answer-1' };
export const langfuseBatch = {
  batch: [
    {
      id: 'e-1',
      type: 'trace-create',
      timestamp: '2026-01-05T10:00:00.000Z',
      body: { id: 'order-17', name: 'ops-agent', sessionId: 's-1', userId: 'u-1' },
    },
    {
      id: 'e-2',
      type: 'generation-create',
      timestamp: '2026-01-05T10:00:00.000Z',
      body: { ...observation, name: 'answer', model: 'gpt-4o', input: 'How full is web-1?' },
    },
    {
      id: 'e-3',
      type: 'generation-update',
      timestamp: '2026-01-05T10:00:01.000Z',
      body: { ...observation, output: 'web-1 is at 91.4%.', usage: { input: 90, output: 12 } },
    },
    { id: 'e-4', type: 'comment-create', timestamp: '2026-01-05T10:00:01.000Z', body: {} },
  ],
};
export const task = {
  id: 'task-1',
  mission_id: 'm-7',
  task_id: 't-3',
  task_description: 'Summarise the incident',
  executor_model: 'openai/gpt-4o',
  cost_usd: 0.42,
  success_criteria: [{ check: 'required_sections', value: ['Impact', 'Cause'] }],
  task_output: '## Impact\n\nweb-1 was down for 12 minutes.\n',
};
export const decomposition = {
  goal: 'Export invoices as CSV',
  subgoals: [
    { id: 's1', description: 'Read the invoices', agent: 'coder', depends_on: [] },
    { id: 's2', description: 'Write the CSV file', agent: 'coder', depends_on: ['s1'] },
  ],
  execution_order: [{ phase: 'sequential', subgoals: ['s1', 's2'] }],
};
