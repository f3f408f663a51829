import type { Page } from '@playwright/test';
import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState } from './instance';
import { choose, expect, expectAllForms, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });

// A retry creates its own project.
const project = `dataset-desk-${process.pid}`;
const base = `/p/${project}/datasets`;
const items = (page: Page) => page.getByRole('table', { name: 'Items' });

/** The wide and light form, after `expectAllForms`. */
async function resetForm(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

test('a dataset is created, filled from text, edited, compared, and deleted', async ({ page }) => {
  test.slow();
  await callProcedure(page, 'projects.create', { slug: project, name: 'Dataset desk' });

  await test.step('the empty list has the command that sends items', async () => {
    await page.goto(base);
    await expect(page.getByText('There is no dataset yet.')).toBeVisible();
    await expect(page.getByLabel('Command that sends items')).toContainText('/v1/datasets/refunds');
    await expectAllForms(page);
    await resetForm(page);
  });

  await test.step('a new dataset has a slug from its name', async () => {
    await page.getByRole('button', { name: 'Create dataset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Refund questions');
    await expect(dialog.getByLabel('Slug')).toHaveValue('refund-questions');
    await dialog.getByLabel('Description').fill('Questions about refunds.');
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Create dataset' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Refund questions' })).toBeVisible();
    await expect(page.getByText('There is no item.')).toBeVisible();
  });

  await test.step('pasted lines are detected, and the result lists the rejected ones', async () => {
    await page.getByRole('button', { name: 'Add items' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('textbox', { name: 'Items' })
      .fill(
        [
          '{"id":"a","input":"How long do refunds take?","reference":"Five days","split":"dev","tags":["time"]}',
          '{"id":"b","input":"Can I return shoes?","reference":"Yes","split":"held_out"}',
          '{"id":"c","input":"Can I return shoes?"}',
          '{"reference":"no input"}',
        ].join('\n'),
      );
    await expect(dialog.getByLabel('Format')).toContainText('Detected: JSON lines');
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Add items' }).click();
    await expect(dialog).toContainText('Version 1: 3 added.');
    await expect(
      dialog.getByRole('region', { name: '1 duplicate, stored', exact: true }),
    ).toBeVisible();
    await expect(dialog.getByRole('region', { name: '1 rejected', exact: true })).toContainText(
      'Item 4',
    );
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(items(page).getByRole('row')).toHaveCount(4);
    await expect(page.getByText('1 duplicate', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Start experiment' })).toHaveAttribute(
      'href',
      `/p/${project}/experiments/new?dataset=refund-questions`,
    );
    await expectAllForms(page);
    await resetForm(page);
  });

  await test.step('items are filtered by the address', async () => {
    await choose(page.getByRole('combobox', { name: 'Split' }), 'dev');
    await expect(page).toHaveURL(/split=dev/);
    await expect(items(page).getByRole('row')).toHaveCount(2);
    await page.goto(`${base}/refund-questions?tag=none`);
    await expect(page.getByText('No item passes these filters.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect(items(page).getByRole('row')).toHaveCount(4);
  });

  await test.step('an item is edited, and its history shows the difference', async () => {
    await items(page).getByRole('link', { name: 'How long do refunds take?' }).click();
    await expect(
      page.getByRole('heading', { level: 1, name: 'How long do refunds take?' }),
    ).toBeVisible();
    const content = page.getByLabel('Item as JSON');
    await content.fill((await content.inputValue()).replace('Five', 'Seven'));
    await page.getByLabel('Split').fill('test');
    await page.getByRole('button', { name: 'Save as new version' }).click();
    const changes = page.getByRole('table', { name: 'Changes from version 1 to version 2' });
    await expect(changes).toContainText('Seven days');
    await expect(changes).toContainText('"test"');
    await expectAllForms(page);
    await resetForm(page);
  });

  await test.step('versions are listed and compared', async () => {
    await page.goto(`${base}/refund-questions/versions`);
    const row = page.getByRole('table', { name: 'Versions' }).getByRole('row');
    await expect(row).toHaveCount(3);
    await expect(page.getByText('From version 1 to version 2: 1 changed.')).toBeVisible();
    await expect(
      page.getByRole('table', { name: 'Changes of: How long do refunds take?' }),
    ).toContainText('Seven days');
    await page.getByRole('button', { name: 'Show changes of version 1' }).click();
    await expect(page).toHaveURL(/from=0&to=1/);
    await expect(page.getByText('From version 0 to version 1: 3 added.')).toBeVisible();
    await expectAllForms(page);
    await resetForm(page);
  });

  await test.step('the list has the counts, and the dataset is deleted', async () => {
    await page.goto(base);
    const row = page
      .getByRole('table', { name: 'Datasets' })
      .getByRole('row')
      .filter({ hasText: 'Refund questions' });
    await expect(row).toContainText('held_out 1, test 1, no split 1');
    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete dataset' }).click();
    await expect(page.getByText('There is no dataset yet.')).toBeVisible();
  });
});

test('a turn becomes an item of a new dataset', async ({ page }) => {
  const slug = `${project}-turn`;
  await callProcedure(page, 'projects.create', { slug, name: 'Dataset turn' });
  const key = await createKeyOf(page, slug, 'turns', ['ingest']);
  await postAs(key, '/v1/turns', {
    turns: [
      {
        id: 'asked',
        model: 'e2e/datasets',
        input: [{ role: 'user', content: 'How long do refunds take?' }],
        output: 'Five days.',
      },
    ],
  });
  await expect(async () => {
    await page.goto(`/p/${slug}/turns/asked`);
    await expect(page.getByRole('button', { name: 'Add to dataset' })).toBeVisible();
  }).toPass();
  await page.getByRole('button', { name: 'Add to dataset' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Dataset name').fill('From turns');
  await dialog.getByRole('radio', { name: /^Output/ }).check();
  await dialog.getByLabel('Split').fill('dev');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Add to dataset' }).click();
  await expect(dialog).toContainText('Added to version 1.');
  await dialog.getByRole('link', { name: 'Open dataset' }).click();
  const row = items(page).getByRole('row').filter({ hasText: 'How long do refunds take?' });
  await expect(row).toContainText('Five days.');
  await expect(row.getByRole('link', { name: /^Turn of/ })).toHaveAttribute(
    'href',
    `/p/${slug}/turns/asked`,
  );
  await page.goto(`/p/${slug}/turns/asked`);
  await expect(page.getByRole('link', { name: 'From turns' })).toHaveAttribute(
    'href',
    `/p/${slug}/datasets/from-turns`,
  );
  await page.getByRole('link', { name: 'item', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Turn', exact: true })).toHaveAttribute(
    'href',
    `/p/${slug}/turns/asked`,
  );
});

test('the turns of a verdict list and of a review queue become items', async ({ page }) => {
  const slug = `${project}-lists`;
  await callProcedure(page, 'projects.create', { slug, name: 'Dataset lists' });
  const key = await createKeyOf(page, slug, 'turns', ['ingest', 'write']);
  await postAs(key, '/v1/turns', {
    turns: ['a', 'b', 'c'].map((id) => ({
      id,
      model: 'e2e/lists',
      input: `How full is ${id}?`,
      tools: [{ id: 't', name: 'disk', result: { pct: 91.4 } }],
      output: id === 'c' ? 'It is at 91.4 %.' : 'It is at 12.5 %.',
    })),
  });
  await expect(async () => {
    await page.goto(`/p/${slug}/verdicts?outcome=failed`);
    await expect(page.locator('[data-verdict]')).toHaveCount(2, { timeout: 2_000 });
  }).toPass();
  await postAs(key, '/v1/labels', {
    turn_id: 'a',
    verifier: 'integrity',
    verdict: 'pass',
    reason: 'The user named the figure.',
  });

  const dialog = page.getByRole('dialog');
  await test.step('all that the filters find, with the rulings as references', async () => {
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    await expect(dialog.getByRole('radio', { name: /^Human ruling/ })).toBeChecked();
    await dialog.getByLabel('Dataset name').fill('Failed answers');
    await expectAllForms(page);
    await resetForm(page);
    await dialog.getByRole('button', { name: 'Add to dataset' }).click();
    await expect(dialog).toContainText('Version 1: 1 added.');
    await dialog.getByRole('link', { name: 'Open dataset' }).click();
    await expect(items(page).getByRole('row').filter({ hasText: 'How full is a?' })).toBeVisible();
  });

  await test.step('a second request adds to the dataset that exists', async () => {
    await page.goto(`/p/${slug}/verdicts?outcome=failed`);
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    await expect(dialog.getByLabel('Dataset', { exact: true })).toHaveText(/failed answers/i);
    await dialog.getByRole('radio', { name: /^Output/ }).check();
    await dialog.getByRole('button', { name: 'Add to dataset' }).click();
    await expect(dialog).toContainText('Version 2: 1 added, 1 unchanged.');
  });

  await test.step('items of the review queue that were ruled on', async () => {
    await page.goto(`/p/${slug}/review`);
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    await expect(dialog.getByLabel('Verifier')).toHaveText('integrity');
    await expectAllForms(page);
    await resetForm(page);
    await dialog.getByRole('button', { name: 'Add to dataset' }).click();
    await expect(dialog).toContainText(/No new version|Version/);
  });
});
