import type { Page } from '@playwright/test';
import { type ScriptedLlm, startScriptedLlm, textOf } from '../testing/scripted-llm';
import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState, readInstance } from './instance';
import { choose, expect, expectAllForms, expectListening, expectNoViolations, test } from './test';

/**
 * From traces alone to a measured judge, as a user does it: the judge is written, tested and
 * applied to a part of the traffic; its verdicts are ruled on, and its measures are read on the
 * calibration page.
 */

test.use({ storageState: ownerState });

// A retry creates its own project.
const slug = `judge-${process.pid}`;
let llm: ScriptedLlm;
let hold: Promise<void> = Promise.resolve();

test.beforeAll(async () => {
  llm = await startScriptedLlm({ port: readInstance().llmPort });
  llm.answerWith(async ({ body }) => {
    await hold;
    const text = textOf(body);
    const nonce = /<data nonce="([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
    const answer = text.includes('free of charge') ? 'breaks' : 'follows';
    const reply = { nonce, reasoning: 'By the policy.', quotes: [], answer, confidence: 0.9 };
    return { text: JSON.stringify(reply), usage: { input: 400, output: 40 } };
  });
});

test.afterAll(() => llm.close());

/** Answer number `n`: one of five is good, and the judge misses one of five bad ones. */
const isGood = (n: number): boolean => n % 5 === 0;
const answerTo = (n: number): string =>
  isGood(n)
    ? `Within 30 days, case ${n}.`
    : n % 5 === 1
      ? `It costs nothing, case ${n}.`
      : `It is free of charge, case ${n}.`;

const spoken = (role: string, content: string) => ({
  stringValue: JSON.stringify([{ role, parts: [{ type: 'text', content }] }]),
});

/** Traces of a chat model, as an exporter sends them. */
async function sendTraces(key: string, from: number, count: number): Promise<void> {
  const startMs = Date.now() - 60_000;
  const spans = Array.from({ length: count }, (_, at) => {
    const n = from + at;
    return {
      traceId: (n + 1).toString(16).padStart(32, '0'),
      spanId: (n + 1).toString(16).padStart(16, '0'),
      name: 'chat',
      kind: 3,
      startTimeUnixNano: `${startMs + n}000000`,
      endTimeUnixNano: `${startMs + n + 1}000000`,
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
        { key: 'gen_ai.input.messages', value: spoken('user', `May I return it? Case ${n}.`) },
        { key: 'gen_ai.output.messages', value: spoken('assistant', answerTo(n)) },
      ],
    };
  });
  await postAs(key, '/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

test('online.md 3: a judge is created from traces alone, tested, applied to 10% of traffic and measured by 30 rulings', async ({
  page,
}) => {
  test.setTimeout(300_000);
  await callProcedure(page, 'projects.create', { slug, name: 'A judge' });
  const key = await createKeyOf(page, slug, 'agents', ['ingest']);
  await callProcedure(page, 'providers.put', {
    project: slug,
    name: 'house',
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    api_key: 'sk-e2e-journey',
    models: ['gpt-4o-mini'],
  });
  await sendTraces(key, 0, 20);
  await expect(async () => {
    await page.goto(`/p/${slug}/received`);
    const turns = page.getByRole('table', { name: 'Turns received' });
    await expect(turns.getByRole('row')).toHaveCount(21, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });

  const results = page.getByRole('region', { name: 'Results' });
  const definition = page.getByRole('textbox', { name: 'Definition, YAML' });
  await test.step('it is written from a starter', async () => {
    await page.goto(`/p/${slug}/verifiers/new`);
    await choose(page.getByRole('combobox', { name: 'Start from' }), 'Instruction following');
    const text = await definition.inputValue();
    await definition.fill(
      text
        .replace(/^slug: .*/, 'slug: refund-policy')
        .replace('judge:\n', 'judge:\n  model: house:gpt-4o-mini\n'),
    );
  });

  await test.step('it is tried on the last 20 turns: progress, cancel, reload', async () => {
    let letGo = (): void => undefined;
    hold = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await choose(results.getByRole('combobox', { name: 'Test on' }), 'Last 20 turns');
    await results.getByRole('button', { name: 'Test draft' }).click();
    await expect(results.getByRole('progressbar', { name: 'Test of the draft' })).toBeVisible();
    await page.reload();
    await expect(definition).toHaveValue(/slug: refund-policy[^]*model: house:gpt-4o-mini/);
    await expect(results.getByRole('progressbar')).toBeVisible();
    await results.getByRole('button', { name: 'Cancel the test' }).click();
    await expect(results).toContainText(/Cancelled after \d+ of 20: last 20 turns/);
    letGo();
    await results.getByRole('button', { name: 'Test draft' }).click();
    await expect(results).toContainText('Judged 20 of 20', { timeout: 60_000 });
    await expect(results).toContainText('8 passed, 12 failed');
    await expect(results).toContainText('none of these subjects has a label');
    await expect(results.getByRole('listitem')).toHaveCount(20);
    await expectAllForms(page);
  });

  await test.step('it is put on 10% of traffic', async () => {
    await page.getByRole('button', { name: 'Save verifier' }).click();
    await expect(page).toHaveURL(new RegExp(`/verifiers/refund-policy$`));
    await page.goto(`/p/${slug}/rules`);
    await page.getByRole('button', { name: 'Create rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('refunds');
    await choose(dialog.getByRole('combobox', { name: 'Verifier', exact: true }), 'refund-policy');
    await dialog.getByLabel('Share, percent').fill('10');
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('row', { name: /refunds/ })).toContainText('10%');
    await page.goto(`/p/${slug}/settings/review`);
    await page.getByRole('button', { name: 'Change all verifiers' }).click();
    const form = page.getByRole('dialog', { name: /^Review of/ });
    await form.getByLabel('Audit, percent').fill('100');
    await form.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('row', { name: /^All verifiers/ })).toContainText('100%');
  });

  await test.step('30 of its verdicts are ruled on in the review queue', async () => {
    await page.goto(`/p/${slug}/review`);
    await expectListening(page);
    for (let from = 20; from < 620; from += 100) await sendTraces(key, from, 100);
    const current = page
      .getByRole('list', { name: 'Items reserved for you' })
      .locator('[aria-current="true"]');
    const content = page.getByRole('region', { name: 'Answer' });
    await expect(current).toBeVisible({ timeout: 60_000 });
    for (let count = 0; count < 30; count += 1) {
      await expect(content).toContainText(/case \d+\./);
      const n = Number(/case (\d+)\./.exec((await content.textContent()) ?? '')?.[1]);
      await expectSettled(page);
      await page.keyboard.press(isGood(n) ? '1' : '2');
      const reason = page.getByRole('textbox', { name: /^Reason/ });
      if (n % 5 === 1) {
        // The judge missed it, so the ruling overrules and needs a reason.
        await expect(reason).toBeFocused();
        await page.keyboard.type('The policy has a fee.');
        await page.keyboard.press('Enter');
      }
      await expect(content).not.toContainText(`case ${n}.`);
    }
  });

  await test.step('its catch rate is read with its interval', async () => {
    await page.goto(`/p/${slug}/calibration`);
    const row = page.getByRole('row', { name: /refund-policy/ });
    await expect(row).toContainText(/\d+\.\d% \(\d+\.\d–\d+\.\d%\) \d+\/\d\d/, {
      timeout: 60_000,
    });
    await page.goto(`/p/${slug}/verifiers/refund-policy/edit`);
    await choose(results.getByRole('combobox', { name: 'Test on' }), /labelled subjects$/);
    await results.getByRole('button', { name: 'Test draft' }).click();
    await expect(results).toContainText('Judged 30 of 30', { timeout: 60_000 });
    await expect(results).toContainText(/Agreement with labels\s*\d+\.\d% \(/);
    await expectNoViolations(page);
  });
});

/** Waits 250 ms, because keys pressed sooner after an item appears do not count as a ruling. */
async function expectSettled(page: Page): Promise<void> {
  const seen = await page.evaluate(() => performance.now());
  await page.waitForFunction((since) => performance.now() - since >= 250, seen);
}
