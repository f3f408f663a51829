import { type ScriptedLlm, startScriptedLlm, textOf } from '../testing/scripted-llm';
import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState, readInstance } from './instance';
import { expect, expectAllForms, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });
test.setTimeout(180_000);

// A retry creates its own project.
const slug = `playground-${process.pid}`;
const base = `/p/${slug}`;
let llm: ScriptedLlm;

test.beforeAll(async () => {
  llm = await startScriptedLlm({ port: readInstance().apartLlmPort });
});
test.afterAll(() => llm.close());

const usage = { input: 40, output: 9 };

test('a turn is opened in the playground, sent to two models, verified, and saved', async ({
  page,
}) => {
  await callProcedure(page, 'projects.create', { slug, name: 'Playground lab' });
  await page.goto(`${base}/playground`);
  await expect(page.getByText('No model provider configured.')).toBeVisible();
  await page.getByRole('button', { name: 'Ask model' }).click();
  await expect(page.getByText('Enter an input: a message inserts it.')).toBeVisible();
  await expectNoViolations(page);

  await callProcedure(page, 'providers.put', {
    project: slug,
    name: 'house',
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    api_key: 'sk-e2e-playground',
    models: ['small', 'large'],
    prices: [{ model: 'small', usd_per_million: { input: 100, output: 1000 } }],
  });
  await callProcedure(page, 'datasets.put', { project: slug, slug: 'disks', name: 'Disks' });
  const key = await createKeyOf(page, slug, 'turns', ['ingest', 'read']);
  await postAs(key, '/v1/turns', {
    turns: [
      {
        id: 'disk-turn',
        input: 'How full is sda?',
        output: 'It is at 12.5 %.',
        tools: [{ id: 'c', name: 'disk', result: { pct: 91.4 } }],
      },
    ],
  });
  // The large model answers with a figure that no source has.
  llm.answerWith(({ body }) => ({
    text: textOf(body).includes('91.4')
      ? `The disk sda is at ${body.model === 'large' ? '55.5' : '91.4'} % now.`
      : 'No tool result was given.',
    usage,
  }));

  await test.step('two models answer side by side', async () => {
    await page.goto(`${base}/turns/disk-turn`);
    await page.getByRole('link', { name: 'Open in playground' }).click();
    await expect(page.getByText('Opened from the turn.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Input' })).toHaveValue('How full is sda?');
    await page.getByRole('button', { name: 'Add model' }).click();
    await page.getByRole('button', { name: 'Ask 2 models' }).click();
    const first = page.getByRole('region', { name: 'Model 1' });
    const second = page.getByRole('region', { name: 'Model 2' });
    await expect(first).toContainText('The disk sda is at 91.4 % now.');
    await expect(first).toContainText('40 tokens in, 9 out · $0.013');
    await expect(second).toContainText('The disk sda is at 55.5 % now.');
    await expect(second).toContainText('price unknown');
  });

  await test.step('their answers are verified', async () => {
    const second = page.getByRole('region', { name: 'Model 2' });
    await second.getByRole('button', { name: 'Verify' }).click();
    await expect(second.getByText('Choose a verifier above.')).toBeVisible();
    await page
      .getByRole('group', { name: 'Verifiers' })
      .getByRole('button', { name: /integrity/i })
      .click();
    for (const [name, word] of [
      ['Model 1', /clean|pass/i],
      ['Model 2', /fail|flag/i],
    ] as const) {
      const column = page.getByRole('region', { name });
      await column.getByRole('button', { name: 'Verify' }).click();
      await expect(column.getByRole('list', { name: 'Verdicts' })).toContainText(word);
    }
    await expectAllForms(page);
  });

  await test.step('the question is saved as an item, the messages as a prompt', async () => {
    const first = page.getByRole('region', { name: 'Model 1' });
    await first.getByRole('button', { name: 'Save as item' }).click();
    const item = page.getByRole('dialog', { name: 'Save as item' });
    await item.getByRole('checkbox', { name: 'Expect this answer' }).check();
    await item.getByRole('button', { name: 'Save' }).click();
    await expect(item).toContainText('Added to version 1.');
    await item.getByRole('button', { name: 'Close' }).click();
    await first.getByRole('button', { name: 'Save as prompt' }).click();
    const prompt = page.getByRole('dialog', { name: 'Save as prompt' });
    await prompt.getByRole('button', { name: 'Save' }).click();
    await expect(prompt).toContainText('Enter a title with a letter or digit.');
    await prompt.getByRole('textbox', { name: 'Title' }).fill('Disk answers');
    await prompt.getByRole('button', { name: 'Save' }).click();
    await expect(prompt).toContainText('version 1 of disk-answers now');
    await page.goto(`${base}/playground?prompt=disk-answers&version=1`);
    await expect(page.getByRole('textbox', { name: 'User message' })).toHaveValue(
      /\{\{input\}\}\s+Tool results:\s+\{\{tools\}\}/,
    );
  });
});
