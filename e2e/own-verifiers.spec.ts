import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState } from './instance';
import { choose, expect, expectAllForms, expectNoViolations, test } from './test';

// The browser's console also logs a 400 for each request that the server refuses.
test.use({ storageState: ownerState, allowedErrors: /status of 4(?:00|22)/ });

// A retry creates its own project.
const slug = `own-verifiers-${process.pid}`;

test('a verifier is created from a starter, checks turns through a rule, and shows its findings', async ({
  page,
}) => {
  await callProcedure(page, 'projects.create', { slug, name: 'Own verifiers' });
  await page.goto(`/p/${slug}/verifiers`);
  await expect(page.getByRole('region', { name: 'Verifiers of this project' })).toContainText(
    'no verifiers of its own',
  );
  await page.getByRole('link', { name: 'Create verifier' }).click();
  const definition = page.getByRole('textbox', { name: 'Definition, YAML' });
  await choose(page.getByRole('combobox', { name: 'Start from' }), 'PII leak');
  await expect(definition).toHaveValue(/check: pii/);
  const about = page.getByRole('region', { name: 'About this verifier' });
  await expect(about).toContainText('Unmeasured');
  await expect(about).toContainText('20 labels');

  await test.step('an error of the definition leads to its line', async () => {
    const text = await definition.inputValue();
    await definition.fill(text.replace('- email', '- mail'));
    await page.getByRole('button', { name: 'Save verifier' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'checks' });
    await alert.getByRole('button', { name: /^Line/ }).click();
    await expect(definition).toBeFocused();
    await expectAllForms(page);
    await definition.fill(text);
  });

  await page.getByRole('button', { name: 'Save verifier' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'PII leak' })).toBeVisible();
  await expectNoViolations(page);

  await page.goto(`/p/${slug}/rules`);
  await page.getByRole('button', { name: 'Create rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('leaks');
  const verifier = dialog.getByRole('combobox', { name: 'Verifier', exact: true });
  await choose(verifier, 'pii-leak');
  await verifier.click();
  await expect(page.getByRole('option', { name: 'pii-leak', exact: true })).toBeVisible();
  await expect(page.getByRole('option', { name: 'checks', exact: true })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await expect(dialog).toBeHidden();

  const key = await createKeyOf(page, slug, 'leaks', ['ingest']);
  await postAs(key, '/v1/turns', {
    turns: [
      {
        id: 'leak',
        input: [{ role: 'user', content: 'Who wrote it?' }],
        output: 'Write to jane.doe@example.org.',
      },
    ],
  });

  const row = page.getByRole('link', { name: 'Write to jane.doe@example.org.' });
  await expect(async () => {
    await page.goto(`/p/${slug}/verdicts?verifier=pii-leak`);
    await expect(row).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await row.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Failed');
  const checks = page.getByRole('list', { name: 'Checks' });
  await expect(checks).toContainText('the text has personal data (e-mail addresses: 1)');
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('jane.doe@example.org');
  await expectAllForms(page);

  await test.step('a clone has a slug and a name of its own', async () => {
    await page.goto(`/p/${slug}/verifiers/pii-leak`);
    await page.getByRole('link', { name: 'Clone verifier' }).click();
    await expect(definition).toHaveValue(/slug: pii-leak-2\n[^]*name: Copy of PII leak/);
    await page.getByRole('button', { name: 'Save verifier' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Copy of PII leak' })).toBeVisible();
  });

  await page.goto(`/p/${slug}/verifiers/pii-leak/edit`);
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Archive verifier' }).click();
  await expect(page.getByRole('row', { name: /^PII leak/ })).toContainText('Archived');
});
