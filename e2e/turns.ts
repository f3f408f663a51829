import { expect } from '@playwright/test';
import { readInstance, readKey } from './instance';
import { SOME_CONTEXT } from '../testing/some-context';

const disks = {
  rows: [
    { host: 'web-1', disk_pct: 91.4, free_gib: 17.2 },
    { host: 'web-2', disk_pct: 40, free_gib: 120 },
  ],
};

export const firstTurn = {
  id: 'e2e-first',
  session_id: 'night-watch',
  model: 'openai/gpt-4o',
  input: [{ role: 'user', content: 'How full is web-1, and since when?' }],
  tools: [{ id: 'tc1', name: 'disk', arguments: { host: 'web-1' }, result: disks }],
  context: [
    { id: 'note', content: '🧭 Runbook: page the owner above 90 % 🇳🇴. Last review 2026-11-02.' },
  ],
  output:
    '🌡️ web-1 is at 91.4%, above the limit of 90 %. It was at 73.5% last week. Reviewed on 2026-11-02.',
};

/** An example of everything that a page can show. */
export const variedTurns = [
  {
    id: 'e2e-passed',
    session_id: 'night-watch',
    model: 'anthropic/claude-sonnet',
    input: [{ role: 'user', content: 'And web-2?' }],
    tools: [{ id: 'tc2', name: 'disk', arguments: {}, result: disks }],
    output: 'web-2 is at 40%, with 120 GiB free.',
  },
  {
    id: 'e2e-plain',
    model: 'anthropic/claude-sonnet',
    input: [{ role: 'user', content: 'Thanks' }],
    context: SOME_CONTEXT,
    output: 'You are welcome.',
  },
  {
    id: 'e2e-envelope',
    model: 'openai/gpt-4o-mini',
    input: [{ role: 'user', content: 'Free space?' }],
    tools: [{ id: 'tc3', name: 'disk', arguments: {}, result: disks }],
    output: 'web-1 has 17.2 GiB free, web-2 has 121 GiB.',
    envelope: {
      answer: 'web-1 has 17.2 GiB free, web-2 has 121 GiB.',
      facts: [
        { value: '17.2', source_id: 'tc3', path: 'rows[0].free_gib' },
        { value: '121', source_id: 'tc3', path: 'rows[1].free_gib' },
      ],
    },
  },
  {
    id: 'e2e-hostile',
    model: 'evil/<b>model</b>',
    input: [
      { role: 'user', content: 'NUL \u0000 and \u001b[31mred\u001b[0m and \u202Eright to left' },
    ],
    tools: [
      {
        id: '<img src=x onerror=alert(1)>',
        name: 'x"y',
        arguments: { __proto__x: 1 },
        result: { '<script>alert(1)</script>': '41 \u202E 5', deep: [[[[1]]]] },
      },
    ],
    output:
      '<script>alert(1)</script> <img src=x onerror=alert(1)> [click](javascript:alert(1)) 41 and \u202E99',
  },
  {
    id: 'e2e-large',
    session_id: 'bulk',
    model: 'openai/gpt-4o',
    input: [{ role: 'user', content: 'Which sensor reads the most?' }],
    tools: [
      {
        id: 'sensors',
        name: 'read_sensors',
        arguments: { count: 400 },
        result: {
          readings: Array.from({ length: 400 }, (_, index) => ({
            sensor: `s-${index}`,
            value: index * 7 + 0.25,
          })),
        },
      },
    ],
    output: 'Sensor s-399 reads the most, 2793.25; s-200 reads 1400.25, and the mean is 1396.75.',
  },
];

export async function sendTurns(turns: readonly object[]): Promise<void> {
  const response = await fetch(`${readInstance().edgeUrl}/v1/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns }),
  });
  expect(response.status).toBe(202);
}
