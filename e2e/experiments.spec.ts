import type { Page } from '@playwright/test';
import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState, readInstance } from './instance';
import { choose, expect, expectAllForms, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });

// A retry creates its own project.
const slug = `experiment-lab-${process.pid}`;
const base = `/p/${slug}`;
const items = Array.from({ length: 24 }, (_, n) => ({ id: `disk-${n}`, figure: `${n + 31}.4` }));

/** For each item, a correct answer or, for the first ones, a figure without a source. */
async function runOutputs(
  key: string,
  { name, wrong, baseline }: { name: string; wrong: number; baseline?: string },
): Promise<string> {
  const { id } = await postAs(key, '/v1/experiments', {
    name,
    dataset: 'disks',
    target: { type: 'outputs' },
    verifiers: ['integrity'],
    branch: 'main',
    ...(baseline !== undefined && { baseline }),
  });
  await postAs(key, `/v1/experiments/${String(id)}/outputs`, {
    outputs: items.map((item, n) => ({
      item_id: item.id,
      output: `${item.id} is at ${n < wrong ? '99.9' : item.figure}%.`,
      cost_usd: 0.001,
      latency_ms: 100 + n,
    })),
  });
  await postAs(key, `/v1/experiments/${String(id)}/finish`, {});
  await expect
    .poll(() => stateOf(key, String(id)), { timeout: 90_000, message: `state of ${name}` })
    .toBe('done');
  return String(id);
}

async function stateOf(key: string, id: string): Promise<string> {
  const response = await fetch(`${readInstance().edgeUrl}/v1/experiments/${id}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return ((await response.json()) as { readonly state: string }).state;
}

async function createDisks(page: Page): Promise<string> {
  await callProcedure(page, 'projects.create', { slug, name: 'Experiment lab' });
  const key = await createKeyOf(page, slug, 'experiments', ['read', 'write', 'verify']);
  await callProcedure(page, 'datasets.put', { project: slug, slug: 'disks', name: 'Disks' });
  await postAs(key, '/v1/datasets/disks/items', {
    items: items.map(({ id, figure }, n) => ({
      id,
      input: `How full is ${id}?`,
      context: `${id} is at ${figure}%.`,
      tags: [n % 2 === 0 ? 'even' : 'odd'],
      split: 'dev',
    })),
  });
  return key;
}

test('experiments are started, read, selected and compared', async ({ page }) => {
  const key = await test.step('the empty list names the command', async () => {
    await callProcedure(page, 'projects.create', { slug: `${slug}-new`, name: 'Empty lab' });
    await page.goto(`/p/${slug}-new/experiments`);
    await expect(page.getByText('No experiment yet.')).toBeVisible();
    await expect(page.getByText('assay eval run eval.yaml')).toBeVisible();
    await expectNoViolations(page);
    await page.goto(`/p/${slug}-new/experiments/new`);
    await expect(page.getByText('No dataset has items yet.')).toBeVisible();
    return createDisks(page);
  });

  await test.step('the form names what is missing, and starts an experiment that waits for outputs', async () => {
    await page.goto(`${base}/experiments/new`);
    const form = page.getByRole('form', { name: 'Experiment' });
    await form.getByRole('button', { name: 'Start experiment' }).click();
    await expect(form.getByText('Choose a model.')).toBeVisible();
    await expect(form.getByText('Choose at least one.')).toBeVisible();
    await expectAllForms(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await form.getByRole('textbox', { name: 'Name' }).fill('By hand');
    await form.getByRole('button', { name: 'I send the outputs' }).click();
    await form
      .getByRole('checkbox', { name: /integrity/i })
      .first()
      .check();
    await form.getByRole('button', { name: 'Start experiment' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'By hand' })).toBeVisible();
    const progress = page.getByRole('region', { name: 'Progress' });
    await expect(progress).toContainText('Waiting for outputs');
    await expect(progress).toContainText('0 of 24 rows done');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel experiment' }).click();
    await expect(progress).toContainText('Cancelled');
  });

  const first = await runOutputs(key, { name: 'Long answers', wrong: 12 });
  await runOutputs(key, { name: 'Short answers', wrong: 2, baseline: first });

  await test.step('the list has rates and costs, and is filtered by its address', async () => {
    await page.goto(`${base}/experiments`);
    const table = page.getByRole('table', { name: 'Experiments' });
    await expect(table.getByRole('row').filter({ hasText: 'Short answers' })).toContainText(
      '91.7% of 24 integrity',
    );
    await expectAllForms(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await choose(page.getByRole('combobox', { name: 'State' }), 'Cancelled');
    await expect(page).toHaveURL(/state=cancelled/);
    await expect(table.getByRole('link', { name: 'By hand' })).toBeVisible();
    await expect(table.getByRole('link', { name: 'Short answers' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  await test.step('two are selected and compared; the answer comes first', async () => {
    await page.getByRole('checkbox', { name: 'Select Short answers' }).check();
    await page.getByRole('checkbox', { name: 'Select Long answers' }).check();
    await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toContainText(
      'The oldest is the baseline: Long answers',
    );
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Compare experiments');
    await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText(
      /integrity: 41\.7 points better than the baseline \(95% without adjustment: .+\), p 0\.002 after Holm; 10 items improved, 0 regressed\./,
    );
    await page.getByRole('button', { name: 'By tag' }).click();
    await expect(page).toHaveURL(/slice=tag/);
    await expect(
      page.getByRole('table', { name: 'Slices by tag' }).getByRole('row', { name: /^even/ }),
    ).toBeVisible();
    const item = page.getByRole('listitem', { name: /^Improved: How full is/ }).first();
    await item.getByRole('button', { name: 'Show text changes' }).click();
    await expect(
      item.getByRole('table', { name: 'Changes from the baseline to Short answers' }),
    ).toBeVisible();
    await expectAllForms(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await choose(page.getByRole('combobox', { name: 'Verifier' }), 'integrity');
    await expect(page).toHaveURL(/verifier=integrity/);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect(page.getByText('24 shown, no more')).toBeVisible();
    await item.getByRole('link', { name: 'Turn' }).first().click();
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await expect(evidence.getByRole('link', { name: 'Long answers' })).toBeVisible();
    await evidence.getByRole('link', { name: 'disks', exact: true }).click();
    await expect(page).toHaveURL(/\/datasets\/disks\/items\/disk-/);
  });

  await test.step('the page of one experiment leads to its verdicts and to its baseline', async () => {
    await page.goto(`${base}/experiments`);
    await page.getByRole('link', { name: 'Short answers' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Short answers' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Results by verifier' })).toContainText('22/24');
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await expect(
      page.getByRole('table', { name: 'Verdicts' }).getByRole('link', { name: /^disk-0 is at/ }),
    ).toBeVisible();
    await expectAllForms(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('link', { name: 'disks@1' }).click();
    const links = page.getByRole('table', { name: 'Experiments' });
    await expect(links.getByRole('row')).toHaveCount(4);
    await expectNoViolations(page);
    await links.getByRole('link', { name: 'Short answers' }).click();
    await page.getByRole('link', { name: 'Compare with baseline' }).click();
    await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText(
      '10 items improved',
    );
  });

  await test.step('rows without an output are listed with the reason', async () => {
    const { id } = await postAs(key, '/v1/experiments', {
      name: 'Broken outputs',
      dataset: 'disks',
      target: { type: 'outputs' },
      verifiers: ['integrity'],
    });
    await postAs(key, `/v1/experiments/${String(id)}/outputs`, {
      outputs: items.map((item, n) => ({
        item_id: item.id,
        ...(n < 2
          ? { error: `the program ended with the code ${n + 70}` }
          : { output: `${item.id} is at ${item.figure}%.` }),
      })),
    });
    await postAs(key, `/v1/experiments/${String(id)}/finish`, {});
    await page.goto(`${base}/experiments/${String(id)}`);
    const failed = page.getByRole('table', { name: 'Failed rows' });
    await expect(failed.getByRole('row').filter({ hasText: 'disk-1' })).toContainText(
      'the program ended with the code 71',
    );
    await expectAllForms(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await failed.getByRole('link', { name: 'disk-0' }).click();
    await expect(page).toHaveURL(/\/datasets\/disks\/items\/disk-0$/);
  });

  await test.step('a stored prompt is the target', async () => {
    await callProcedure(page, 'providers.put', {
      project: slug,
      name: 'house',
      kind: 'openai_compatible',
      base_url: 'https://models.example/v1',
      api_key: 'sk-e2e-experiments',
      models: ['small'],
    });
    await callProcedure(page, 'prompts.create', {
      project: slug,
      slug: 'disk-answer',
      body: [
        '---',
        'title: Disk answer',
        'description: Answers questions about disks.',
        'output: message',
        '---',
        '## user',
        '{{input}}',
      ].join('\n'),
      message: '',
    });
    await page.goto(`${base}/experiments/new`);
    const form = page.getByRole('form', { name: 'Experiment' });
    await form.getByRole('textbox', { name: 'Name' }).fill('By a stored prompt');
    await choose(form.getByRole('combobox', { name: 'Prompt' }), 'Disk answer (disk-answer)');
    await expect(form.getByRole('textbox', { name: 'User message' })).toHaveCount(0);
    await form.getByRole('textbox', { name: 'Version or label of the prompt' }).fill('no version');
    await form
      .getByRole('checkbox', { name: /integrity/i })
      .first()
      .check();
    await choose(form.getByRole('combobox', { name: 'Model' }), 'house:small');
    await form.getByRole('button', { name: 'Start experiment' }).click();
    await expect(form.getByText(/must be a slug, or a slug with a version/)).toBeVisible();
    await expectNoViolations(page);
    await form.getByRole('textbox', { name: 'Version or label of the prompt' }).fill('1');
    await form.getByRole('button', { name: 'Start experiment' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'By a stored prompt' })).toBeVisible();
    await expect(page.getByRole('link', { name: /disk-answer@1/ })).toBeVisible();
  });
});
