import type { Page } from '@playwright/test';
import { type ScriptedLlm, startScriptedLlm } from '../testing/scripted-llm';
import { ownerState, project, readInstance } from './instance';
import { expect, expectNoViolations, test } from './test';

// The browser's console also logs a 422 for each request that the server refuses.
test.use({ storageState: ownerState, allowedErrors: /status of 422/ });

const key = 'sk-e2e-5ecret5ecret5ecret-wxyz';
let llm: ScriptedLlm;

test.beforeAll(async () => {
  llm = await startScriptedLlm({ port: readInstance().llmPort });
});

test.afterAll(() => llm.close());

const base = `/p/${project.slug}/settings/providers`;
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Providers' }).getByRole('row').filter({ hasText: name });

test('X-3 S-45 S-100: without a provider the page lists what still works; one is added, tested, moved and deleted, and its key is never shown', async ({
  page,
}) => {
  await page.goto(base);
  const none = page.getByRole('region', {
    name: /^(No provider configured|All providers are off)$/,
  });
  await expect(none).toContainText('neither a pass nor a fail');
  await expectNoViolations(page);

  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /OpenAI-compatible/ }).check();
  await expect(dialog.getByLabel('Name')).toHaveValue('ollama');
  await dialog.getByLabel('Name').fill('house');
  await dialog.getByLabel('Address').fill(llm.baseUrl);
  await dialog.getByLabel('API key').fill(key);
  await dialog.getByLabel('Models').fill('llama3:8b\nqwen2.5:7b');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Save provider' }).click();
  await expect(row(page, 'house')).toContainText('sk-…wxyz');
  await expect(none).toHaveCount(0);
  const offer = page.getByRole('region', { name: /^Verify 5% of turns/ });
  await expect(offer).toContainText('at most 200 turns and 1 US dollar a day');
  await offer.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toHaveCount(0);
  expect(await page.content()).not.toContain('5ecret');
  await expectNoViolations(page);

  llm.queue(
    { text: 'ready', usage: { input: 20, output: 1 } },
    { fault: { kind: 'status', status: 401 } },
  );
  await row(page, 'house').getByRole('button', { name: 'Test house' }).click();
  await dialog.getByRole('button', { name: 'Send test prompt' }).click();
  await expect(dialog).toContainText('21 tokens, price not known');
  await expect(dialog).toContainText('ready');
  expect(llm.calls.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
  await dialog.getByRole('button', { name: 'Send test prompt' }).click();
  await expect(dialog.getByRole('alert')).toContainText('No answer: unauthorized');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await row(page, 'house').getByRole('button', { name: 'Change house' }).click();
  await dialog.getByLabel('Address').fill('https://elsewhere.example.org/v1');
  await dialog.getByRole('button', { name: 'Save provider' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Is required again');
  await dialog.getByLabel('Address').fill(llm.baseUrl);
  await dialog.getByLabel('Enabled for judges').uncheck();
  await dialog.getByRole('button', { name: 'Save provider' }).click();
  await expect(row(page, 'house')).toContainText('off: not called');
  await expect(none).toBeVisible();

  await row(page, 'house').getByRole('button', { name: 'Delete house' }).click();
  await dialog.getByRole('button', { name: 'Delete provider' }).click();
  await expect(row(page, 'house')).toHaveCount(0);
  await expect(none).toBeVisible();
});

test('S-44 S-48: a forbidden address is refused with a message', async ({ page }) => {
  await page.goto(base);
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog');
  for (const [address, words] of [
    ['http://127.0.0.1:8123', 'public'],
    ['https://api.example.org:22/v1', 'port 22'],
    ['file:///etc/passwd', 'https://'],
  ] as const) {
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByLabel('API key').fill(key);
    await dialog.getByRole('button', { name: 'Save provider' }).click();
    await expect(dialog.getByRole('alert')).toContainText(words);
  }
});
