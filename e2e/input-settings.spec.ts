import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState } from './instance';
import { expect, expectAllForms, expectNoViolations, test } from './test';
import { SOME_CONTEXT } from '../testing/some-context';

// Settings for input: masking, names and prices of models.

test.use({ storageState: ownerState, allowedErrors: /status of 422/ });

const slug = `input-desk-${process.pid}`;
const base = `/p/${slug}`;

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  await callProcedure(page, 'projects.create', { slug, name: 'Input desk' });
  await page.close();
});

test('S-129 masking is turned on, a wrong path is named, and replaced values are counted', async ({
  page,
}) => {
  await page.goto(`${base}/settings/data`);
  await expect(page.getByText('Masking is off.')).toBeVisible();
  await page.getByLabel('Email addresses').check();
  await page.getByLabel('Paths', { exact: true }).fill('$.metadata.customer\n$.a[?@.b]');
  await page.getByRole('button', { name: 'Save masking' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'filters' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByLabel('Paths', { exact: true }).fill('$.metadata.customer');
  await page.getByRole('button', { name: 'Save masking' }).click();
  await expect(page.getByText('No value was replaced in the last 30 days.')).toBeVisible();

  const key = await createKeyOf(page, slug, 'masking', ['ingest']);
  // Every process follows a change within a second.
  await expect(async () => {
    await postAs(key, '/v1/turns', {
      turns: [
        {
          id: `masked-${Date.now()}`,
          input: 'Who is it? ann@example.com',
          output: 'It is Ann.',
          context: SOME_CONTEXT,
          metadata: { customer: 'Ann Lee' },
        },
      ],
    });
    await page.reload();
    await expect(page.getByText(/Replaced in the last 30 days: .*Email addresses \d/)).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  await expect(page.getByText(/Values at paths \d/)).toBeVisible();
  await expectAllForms(page);

  await page.getByLabel('Email addresses').uncheck();
  await page.getByLabel('Paths', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Turn masking off' }).click();
  await expect(page.getByRole('button', { name: 'Save masking' })).toBeDisabled();
  await page.reload();
  await expect(page.getByLabel('Email addresses')).not.toBeChecked();
});

test('an alias and an own price are set, and are removed again', async ({ page }) => {
  await page.goto(`${base}/settings/models`);
  await expect(page.getByText('No aliases.')).toBeVisible();
  await page.getByRole('button', { name: 'Add alias' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Alias').fill('our-model');
  await dialog.getByLabel('Model').fill('gpt-4o');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Save alias' }).click();
  const aliases = page.getByRole('table', { name: 'Aliases' });
  await expect(aliases.getByRole('row', { name: /our-model gpt-4o/ })).toBeVisible();

  await page.getByRole('button', { name: 'Add price' }).click();
  await dialog.getByLabel('Model').fill('our-model');
  await dialog.getByRole('button', { name: 'Save price' }).click();
  await expect(dialog.getByRole('alert').first()).toBeVisible();
  await dialog.getByLabel('Valid from').fill('2026-01-02');
  await dialog.getByRole('button', { name: 'Choose a day' }).click();
  await page.getByRole('button', { name: /^Thursday,? 1 January 2026$/ }).click();
  await expect(dialog.getByLabel('Valid from')).toHaveValue('2026-01-01');
  await dialog.getByLabel('Input', { exact: true }).fill('2.5');
  await dialog.getByLabel('Output', { exact: true }).fill('10');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Save price' }).click();
  const prices = page.getByRole('table', { name: 'Own prices, per million tokens' });
  await expect(prices.getByRole('row').filter({ hasText: '$2.5' })).toContainText('$10');
  await expectAllForms(page);

  await page.getByRole('button', { name: /^Delete the price of/ }).click();
  await dialog.getByRole('button', { name: 'Delete price' }).click();
  await expect(page.getByText('No own prices.')).toBeVisible();
  await page.getByRole('button', { name: 'Delete our-model' }).click();
  await dialog.getByRole('button', { name: 'Delete alias' }).click();
  await expect(page.getByText('No aliases.')).toBeVisible();
});
