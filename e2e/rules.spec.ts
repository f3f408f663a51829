import { callProcedure } from './calls';
import { ownerState } from './instance';
import { expect, expectAllForms, test } from './test';

// What the server refuses is a 422 in the console of the browser too.
test.use({ storageState: ownerState, allowedErrors: /status of 422/ });

// A second try makes a project of its own.
const slug = `rule-desk-${process.pid}`;

test('a rule names parts of messages as sources: refused by its field, stored, and opened again as it was written', async ({
  page,
}) => {
  await callProcedure(page, 'projects.create', { slug, name: 'Rule desk' });
  await page.goto(`/p/${slug}/rules`);
  await page.getByRole('button', { name: 'Create rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('retrieved');
  await dialog.getByLabel('Retrieved blocks in messages').fill('context');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'One block per line' })).toBeVisible();
  await dialog.getByLabel('Retrieved blocks in messages').fill('/(?=a)b/');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'RE2' })).toBeVisible();
  await expectAllForms(page);
  await dialog.getByLabel('Retrieved blocks in messages').fill('<context>\nuser: # Sources');
  await dialog.getByLabel('Document blocks count as sources').check();
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Edit retrieved' }).click();
  await expect(dialog.getByLabel('Retrieved blocks in messages')).toHaveValue(
    '<context>\nuser: # Sources',
  );
  await expect(dialog.getByLabel('Document blocks count as sources')).toBeChecked();
  await expect(dialog.getByLabel('Sources of earlier turns count as well')).not.toBeChecked();
});
