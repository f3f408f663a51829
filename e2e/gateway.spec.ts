import type { Page } from '@playwright/test';
import superjson from 'superjson';
import {
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  startScriptedLlm,
  textOf,
} from '../testing/scripted-llm';
import { ownerState, readInstance } from './instance';
import { choose, expect, expectAllForms, expectAllFormsOf, expectListening, test } from './test';

// The browser's console also logs a 422 for each request that the server refuses.
test.use({ storageState: ownerState, allowedErrors: /status of 422/ });
test.setTimeout(180_000);

const slug = 'gateway-desk';
const base = `/p/${slug}/gateway`;
const question = 'How full is the disk of web-1?';
const original = 'It is surely full; delete /var/log/old.';
const recalled = 'I have not measured it yet: let me call the tool disk first.';
const note = 'Nothing shows that the disk is full. Call the tool disk before you answer.';
let llm: ScriptedLlm;

test.beforeAll(async () => {
  llm = await startScriptedLlm({ port: readInstance().llmPort });
});

test.afterAll(() => llm.close());

async function change<Answer>(page: Page, procedure: string, input: object): Promise<Answer> {
  const { webUrl } = readInstance();
  const response = await page.request.post(`${webUrl}/api/trpc/${procedure}`, {
    data: superjson.serialize(input),
    headers: { origin: webUrl },
  });
  expect(response.status(), await response.text()).toBe(200);
  const body = (await response.json()) as {
    result: { data: Parameters<typeof superjson.deserialize>[0] };
  };
  return superjson.deserialize<Answer>(body.result.data);
}

/** The main model and its verifier, distinguished by the requested model. */
function script(verifier: (callIndex: number, call: ScriptedCall) => ScriptedReply): void {
  let calls = 0;
  llm.answerWith((call) => {
    if (call.body.model === 'judge-model') return verifier(calls++, call);
    return {
      text: textOf(call.body).includes(note) ? recalled : original,
      usage: { input: 30, output: 12 },
    };
  });
}

/** The key is created once, since its secret is shown only then. */
let keyPromise: Promise<string> | null = null;

function keyOf(page: Page): Promise<string> {
  keyPromise ??= change<Record<string, unknown>>(page, 'keys.create', {
    project: slug,
    name: 'gateway',
    scopes: ['gateway'],
  }).then(
    (created) =>
      Object.values(created).find(
        (value): value is string => typeof value === 'string' && value.startsWith('asy_'),
      ) ?? '',
  );
  return keyPromise;
}

async function sendCall(
  page: Page,
  session: string,
): Promise<{ verdict: string | null; reason: string | null; text: string }> {
  const response = await fetch(`${readInstance().edgeUrl}/gateway/local/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await keyOf(page)}`,
      'content-type': 'application/json',
      'x-assay-session': session,
    },
    body: JSON.stringify({ model: 'main-model', messages: [{ role: 'user', content: question }] }),
  });
  expect(response.status, 'status of the call').toBe(200);
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  const { headers } = response;
  return {
    verdict: headers.get('x-assay-verdict'),
    reason: headers.get('x-assay-reason'),
    text: choices[0]?.message.content ?? '',
  };
}

test('a project without a call shows how to connect a client to the gateway', async ({ page }) => {
  await change(page, 'projects.create', { slug, name: 'Gateway desk' });
  await page.goto(base);
  await expect(page.getByText('No call has come through the gateway yet.')).toBeVisible();
  await expect(page.getByLabel('Code of an OpenAI client')).toContainText(
    `base_url="${readInstance().edgeUrl}/gateway/openai/v1"`,
  );
  await expect(page.getByLabel('Command that sends a first call')).toContainText('YOUR_KEY');
  await expectAllForms(page);
});

test('QV-8 QV-39 a route is created, refused next to its fields, saved with the source of each value, and deleted', async ({
  page,
}) => {
  const provider = {
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    api_key: 'sk-e2e-gateway',
    models: ['judge-model'],
  };
  await change(page, 'providers.put', { project: slug, name: 'house', ...provider });
  await page.goto(`${base}/new-route`);
  const form = page.getByRole('form', { name: 'Route' });

  await test.step('faults are shown next to their field, by the form and by the server', async () => {
    await form.getByLabel('Name').fill('Not a name');
    await form.getByLabel('Verification interval, turns').fill('0');
    await form.getByRole('button', { name: 'Create route' }).click();
    await expect(form.getByLabel('Name')).toHaveAccessibleDescription(/lower-case letters/i);
    await expect(form.getByLabel('Verification interval, turns')).toHaveAccessibleDescription(
      /a whole number from 1/i,
    );
    await form.getByLabel('Name').fill('local');
    await form.getByLabel('Verification interval, turns').fill('2');
    await form.getByLabel('Upstream').fill('nobodys-provider');
    await form.getByRole('button', { name: 'Create route' }).click();
    await expect(form.getByLabel('Upstream')).toHaveAccessibleDescription(
      /neither a URL nor the name of a provider/i,
    );
    await expectAllFormsOf(page, `${base}/new-route`);
  });

  await form.getByLabel('Upstream').fill('house');
  await choose(form.getByLabel('Verifier model'), 'house:judge-model');
  await expect(form.getByLabel('Verification interval, turns')).toHaveAccessibleDescription(
    /one answer of every 2 turns.* Not saved yet/,
  );
  await form.getByLabel('Notes withheld, percent').fill('0');
  await form.getByLabel('Consecutive failures before a cooldown').fill('1');
  await form.getByRole('button', { name: 'Create route' }).click();
  await expect(page).toHaveURL(/\/gateway\/routes\/local$/);
  await expect(page.getByRole('main')).toContainText(llm.baseUrl);
  await expect(form.getByLabel('Verification interval, turns')).toHaveAccessibleDescription(
    /Set for this route/,
  );
  await expect(form.getByLabel('Cooldown, seconds')).toHaveAccessibleDescription(/Default\./);
  await expect(form.getByRole('link', { name: 'turn-verifier' })).toHaveAttribute(
    'href',
    `/p/${slug}/prompts/turn-verifier`,
  );
  await expectAllFormsOf(page, `${base}/routes/local`);

  await change(page, 'gateway.putRoute', {
    project: slug,
    name: 'short-lived',
    settings: { upstream: 'house' },
  });
  await page.goto(`${base}/routes/short-lived`);
  await page.getByRole('button', { name: 'Delete route' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete route' }).click();
  await expect(page).toHaveURL(new RegExp(`${base}$`));
  await page.goto(`/p/${slug}/settings/audit`);
  for (const action of ['gateway.put_route', 'gateway.delete_route'])
    await expect(page.getByText(action).first()).toBeVisible();
});

test('QV-1 QV-15 QV-26 a steered answer through the gateway: numbers, session, both answers, verdict', async ({
  page,
}) => {
  script((callIndex) => ({
    text: callIndex === 0 ? `<steering>${note}</steering>` : '<status>NO_STEERING_NEEDED</status>',
  }));
  expect(await sendCall(page, 'desk')).toEqual({
    verdict: 'not_verified',
    reason: 'not_due',
    text: original,
  });
  const second = await sendCall(page, 'desk');
  expect(second).toEqual({ verdict: 'steered', reason: null, text: recalled });

  await test.step('the gateway’s page: numbers, routes, effect of steering, sessions', async () => {
    // Records of calls are written after their answers.
    await expect(async () => {
      await page.goto(base);
      await expect(page.getByRole('list', { name: 'Numbers' })).toContainText(
        /Steered\s*1\s*of 1 verified/,
        { timeout: 10_000 },
      );
    }).toPass();
    await expectListening(page);
    await expect(
      page.getByRole('table', { name: 'Routes' }).getByRole('row', { name: /local/ }),
    ).toContainText('2 turns');
    await expect(
      page.getByRole('region', { name: 'Effect of steering', exact: true }),
    ).toContainText('1/1');
    await expect(
      page.getByRole('table', { name: 'Sessions' }).getByRole('row', { name: /desk/ }),
    ).toContainText('0 of 2 turns');
    await expectAllFormsOf(page, base);
    await page.getByRole('link', { name: 'desk', exact: true }).click();
  });

  await test.step('the session: both answers side by side, the note, the recheck', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toContainText('desk');
    const call = page
      .getByRole('list', { name: 'Calls, the newest first' })
      .locator('> li')
      .first();
    await expect(call.getByRole('region', { name: 'Original, not delivered' })).toContainText(
      original,
    );
    await expect(call.getByRole('region', { name: 'Steered, delivered' })).toContainText(recalled);
    await expect(call).toContainText(note);
    await expect(call).toContainText('Fixed');
    const [left, right] = await Promise.all(
      ['Original, not delivered', 'Steered, delivered'].map((name) =>
        call.getByRole('region', { name }).boundingBox(),
      ),
    );
    expect(Math.abs((left?.y ?? 0) - (right?.y ?? 99))).toBeLessThan(2);
    await expectAllFormsOf(page, `${base}/sessions/desk`);
    await call.getByRole('link', { name: 'Turn' }).click();
    await expect(page).toHaveURL(/\/turns\/call_/);
    await expect(page.getByRole('main')).toContainText(recalled);
    await page.goBack();
    await call.getByRole('link', { name: 'Verdict' }).click();
    await expect(page).toHaveURL(/\/verdicts\/ver_/);
  });
});

test('QV-33 calls by their filters and keys; an open breaker is shown and reset', async ({
  page,
}) => {
  script(() => ({ fault: { kind: 'status', status: 500 } }));
  await sendCall(page, 'failing');
  expect(await sendCall(page, 'failing')).toMatchObject({
    verdict: 'unavailable',
    reason: 'error',
    text: original,
  });

  await test.step('the list of calls: filters are its address, j and Enter open', async () => {
    await page.goto(`${base}/calls`);
    await expectListening(page);
    await expect(page.getByRole('table', { name: 'Calls' }).getByRole('row')).toHaveCount(5);
    await page.getByRole('button', { name: 'Steered' }).click();
    await expect(page).toHaveURL(/verdict=steered/);
    await expect(page.getByRole('table', { name: 'Calls' }).getByRole('row')).toHaveCount(2);
    await choose(page.getByLabel('Reason'), 'too long to buffer');
    await expect(page.getByText('No call passes these filters.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect(page.getByRole('table', { name: 'Calls' }).getByRole('row')).toHaveCount(5);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/sessions\/failing#call_/);
    await expectAllFormsOf(page, `${base}/calls`);
  });

  await page.goto(base);
  const needs = page.getByRole('region', { name: 'Needs attention', exact: true });
  await expect(needs).toContainText('house:judge-model');
  await expect(needs).toContainText('1 failure in a row');
  await expectAllFormsOf(page, base);
  await needs.getByRole('button', { name: 'Reset the breaker of house:judge-model' }).click();
  await expect(needs).toHaveCount(0);
  script(() => ({ text: '<status>NO_STEERING_NEEDED</status>' }));
  await expect
    .poll(async () =>
      [await sendCall(page, 'mended'), await sendCall(page, 'mended')].map(
        ({ verdict }) => verdict,
      ),
    )
    .toContain('passed');
});
