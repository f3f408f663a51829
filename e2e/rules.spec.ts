import { SOME_CONTEXT } from '../testing/some-context';
import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState } from './instance';
import { choose, expect, expectAllForms, test } from './test';

// The browser's console also logs a 422 for each request that the server refuses.
test.use({ storageState: ownerState, allowedErrors: /status of 422/ });

// A retry creates its own project.
const slug = `rule-desk-${process.pid}`;

test('a rule names parts of messages as sources: refused by its field, stored, and reopened as written', async ({
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

test('a judged rule is previewed before it is created: its matches, its cost, its subjects and its prompt', async ({
  page,
}) => {
  const own = `${slug}-judged`;
  await callProcedure(page, 'projects.create', { slug: own, name: 'Judged desk' });
  await page.goto(`/p/${own}/settings/providers`);
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /OpenAI-compatible/ }).check();
  await dialog.getByLabel('Address').fill('https://llm.example.org/v1');
  await dialog.getByLabel('Models').fill('llama3:8b');
  await dialog.getByRole('button', { name: 'Save provider' }).click();

  await test.step('a task rule is offered, and created in one click', async () => {
    const offer = page.getByRole('region', { name: /^Verify 5% of turns/ });
    await expectAllForms(page);
    await offer.getByRole('button', { name: 'Create rule' }).click();
    await expect(offer).toHaveCount(0);
    await page.goto(`/p/${own}/verifiers`);
    await expect(page.getByRole('row', { name: /^Task/ })).toContainText('no turns yet');
    await expect(page.getByRole('row', { name: /^Code/ })).toContainText('no rule');
  });

  await page.goto(`/p/${own}/rules`);
  await expect(page.getByRole('row', { name: /^task/ })).toContainText('5%');
  const key = await createKeyOf(page, own, 'rules', ['ingest']);
  await postAs(key, '/v1/turns', {
    turns: [1, 2, 3].map((n) => ({
      id: `turn-${n}`,
      input: [{ role: 'user', content: `Name the disk of web-${n}.` }],
      context: SOME_CONTEXT,
      output: `It is sda, on web-${n}.`,
    })),
  });

  await test.step('the preview calls no model', async () => {
    await page.getByRole('button', { name: 'Create rule' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('judged');
    await choose(dialog.getByRole('combobox', { name: 'Verifier', exact: true }), 'task');
    await dialog.getByLabel('Mapping, JSON').fill('{"nothing": "$.output"}');
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByRole('button', { name: 'Run preview' }).click();
    await expect(preview).toContainText('is not a variable of task');
    await dialog.getByLabel('Mapping, JSON').fill('{"task_output": "$.output"}');
    await preview.getByRole('button', { name: 'Run preview' }).click();
    await expect(preview.getByRole('status')).toContainText('3 of 3 match, 3 would be verified.');
    await expect(preview.getByRole('status')).toContainText('judge calls');
    await preview.getByText('turn-3').click();
    await expect(preview).toContainText('Name the disk of web-3.');
    await preview.getByText('First judge prompt').click();
    await expect(preview).toContainText('It is sda, on web-');
    await expectAllForms(page);
  });

  await choose(dialog.getByLabel('After the verdict of'), 'integrity');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: /^judged/ })).toContainText(
    'after integrity: "failed"',
  );
});
