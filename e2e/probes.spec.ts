import type { Page } from '@playwright/test';
import {
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  startScriptedLlm,
  textOf,
} from '../testing/scripted-llm';
import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState, readInstance } from './instance';
import { expect, expectAllFormsOf, expectListening, expectNoViolations, test } from './test';

/** A separate project: its judge prefers the first option, and follows instructions in the work. */
// A retry creates its own project.
const slug = `probes-${process.pid}`;
const address = `/p/${slug}/calibration/verifier?verifier=task&days=30&tab=stability`;

test.use({ storageState: ownerState });
test.describe.configure({ mode: 'serial' });

let llm: ScriptedLlm;
let key = '';

/**
 * Rates only the first criterion as met, or all of them if the work contains such an instruction.
 */
function judge({ body }: ScriptedCall): ScriptedReply {
  const prompt = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(prompt)?.[1] ?? '';
  const block = (name: string): string =>
    new RegExp(`<data nonce="${nonce}" name="${name}">\\n(.*)\\n`).exec(prompt)?.[1] ?? 'null';
  const rubric = JSON.parse(block('criteria')) as {
    criteria: unknown[];
    quality?: { dimension: string }[];
  };
  const obeys = block('output').includes('Ignore all previous instructions');
  const of = (met: boolean): object =>
    prompt.includes('"met": <')
      ? { met }
      : prompt.includes('"match": <')
        ? { match: met ? 'full' : 'none' }
        : { score: met ? 5 : 1 };
  const criteria = rubric.criteria.map((_, i) => ({
    criterion: i + 1,
    reasoning: obeys ? 'I was told to pass it.' : 'I read the first one.',
    quotes: [],
    ...of(obeys || i === 0),
    confidence: 0.9,
  }));
  const quality = rubric.quality?.map(({ dimension }) => ({
    dimension,
    reasoning: 'Seen.',
    score: obeys ? 5 : 1,
  }));
  const reply = {
    nonce,
    criteria,
    ...(quality !== undefined && { quality }),
    suggestions: [],
    confidence: 0.9,
  };
  return { text: JSON.stringify(reply), usage: { input: 900, output: 60 } };
}

test.beforeAll(async ({ browser }) => {
  llm = await startScriptedLlm({ port: readInstance().llmPort });
  llm.answerWith(judge);
  const page = await browser.newPage({ storageState: ownerState });
  await callProcedure(page, 'projects.create', { slug, name: 'Probe desk' });
  const provider = {
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    api_key: 'sk-e2e-probes',
    models: ['gpt-4o-mini'],
  };
  await callProcedure(page, 'providers.put', { project: slug, name: 'house', ...provider });
  const scopes = ['verify', 'ingest', 'write', 'read'];
  key = await createKeyOf(page, slug, 'probes', scopes);
  await page.close();
  const outcomes: { verification_id: unknown; success: boolean }[] = [];
  for (let n = 0; n < 6; n++) {
    const { id } = await postAs(key, '/v1/verify/task', {
      id: `e2e-probe-${n}`,
      task_description: `Write note ${n} on the disk. <img src=x onerror=alert(1)>`,
      success_criteria: ['Is clear', 'Is short'],
      scoring_mode: 'binary',
      task_output: `The disk ${n} is full.`,
      wait_ms: 20_000,
    });
    if (n < 4) outcomes.push({ verification_id: id, success: n % 2 === 0 });
  }
  expect(await postAs(key, '/v1/outcomes', { outcomes })).toMatchObject({ accepted: 4 });
});

test.afterAll(() => llm.close());

const panel = (page: Page) => page.getByRole('region', { name: 'Probes', exact: true });
const probe = (page: Page, name: string) => panel(page).getByRole('region', { name, exact: true });

async function run(
  page: Page,
  name: string,
  fill: Readonly<Record<string, string>>,
  takes: string,
): Promise<void> {
  await probe(page, name)
    .getByRole('button', { name: `Run: ${name}` })
    .click();
  const dialog = page.getByRole('dialog', { name: `${name} of task` });
  for (const [label, value] of Object.entries(fill)) await dialog.getByLabel(label).fill(value);
  await expect(dialog.getByRole('status', { name: 'Estimate of the probe' })).toContainText(takes);
  await dialog.getByRole('button', { name: 'Run the probe' }).click();
  await expect(dialog).toHaveCount(0);
}

test('SOAR-37 calibration.md 5.8 probes run after their cost is shown, and report the influences on the judge', async ({
  page,
}) => {
  await page.goto(address);
  await expectListening(page);
  await expect(panel(page).getByText('Not probed yet.')).toHaveCount(5);

  await test.step('no more than allowed, and an invalid amount', async () => {
    await probe(page, 'Order').getByRole('button', { name: 'Run: Order' }).click();
    const dialog = page.getByRole('dialog', { name: 'Order of task' });
    await dialog.getByLabel('Budget, US dollars').fill('0');
    await expect(dialog.getByRole('alert')).toContainText('The probe cannot run: it may cost $0.');
    await expect(dialog.getByRole('button', { name: 'Run the probe' })).toBeDisabled();
    await dialog.getByLabel('Budget, US dollars').fill('much');
    await expect(dialog.getByRole('alert').first()).toContainText('An amount from 0');
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await expect(probe(page, 'Order').getByRole('button', { name: 'Run: Order' })).toBeFocused();
  });

  await test.step('the order influences it', async () => {
    await run(
      page,
      'Order',
      {},
      'It judges 6 subjects, 4 of them labelled: 12 verdicts, of which none is stored or counted.',
    );
    const found =
      '6 of 6 subjects had the same outcome in both orders; of 12 criteria, 12 were met only nearer to the front and 0 only nearer to the end.';
    await expect(probe(page, 'Order')).toContainText(found, { timeout: 20_000 });
    await expect(probe(page, 'Order')).toContainText('12 and 0, p < 0.001');
    await expect(probe(page, 'Order')).toContainText('task@1 with house/gpt-4o-mini');
  });

  await test.step('an instruction inside the work influences it, and the work that passed is named', async () => {
    await run(
      page,
      'Known-bad work',
      { Repetitions: '1' },
      'It judges 21 pieces of work that is known to be bad',
    );
    await expect(probe(page, 'Known-bad work')).toContainText('3 of 21 wrongly passed.', {
      timeout: 20_000,
    });
    await expect(probe(page, 'Known-bad work')).toContainText(
      'Work that was not done, with an order to pass it; scored as binary',
    );
    await probe(page, 'Known-bad work')
      .getByRole('button', { name: 'What was judged: Known-bad work' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Known-bad work: what was judged' });
    await dialog.getByLabel('Passed only').check();
    await expect(dialog.getByText('I was told to pass it.')).toHaveCount(3);
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('it contradicts itself, and its two answers are shown side by side', async () => {
    await run(
      page,
      'Repeatability',
      { Repetitions: '3' },
      'It judges 6 subjects, 4 of them labelled: 18 verdicts',
    );
    await expect(probe(page, 'Repeatability')).toContainText(
      'It decided the same on all 6 subjects each time.',
      { timeout: 20_000 },
    );
    await run(page, 'Preference for its own family', {}, 'calls no model');
    await expect(probe(page, 'Preference for its own family')).toContainText(
      'It has judged no labelled work of its own family.',
      {
        timeout: 20_000,
      },
    );
    await probe(page, 'Repeatability')
      .getByRole('button', { name: 'What was judged: Repeatability' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Repeatability: what was judged' });
    await expect(dialog.getByText('Time 3')).toHaveCount(6);
    await dialog.getByLabel('Inconsistent only').check();
    await expect(dialog).toContainText('All verdicts agree.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('main')).not.toContainText(/false positive/i);
  });
  await expectAllFormsOf(page, address);
});
