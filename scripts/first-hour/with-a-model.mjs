// Steps in the user's project that edit a judge's prompt and call a model.
import { runInShell } from './new-instance.mjs';
import { expect, goTo, project, runExample } from './own-project.mjs';

/** @typedef {import('./walk.mjs').Walk} Walk */

const base = (/** @type {Walk} */ { instance }) => `${instance.webUrl}/p/${project.slug}`;

/** @param {Walk} walk @returns {Promise<string>} */
export async function editPrompt(walk) {
  const { page } = walk;
  await page.goto(base(walk));
  await goTo(page, 'Prompts');
  await page.locator('[data-row="task-rubric"]').click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: /^Text of / }).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('Quote the passage that each score rests on.');
  await page.getByRole('textbox', { name: 'What changed, and why' }).fill('Asks for quotes');
  await page.getByRole('button', { name: 'Save as version 1' }).click();
  const saved = page
    .getByRole('list', { name: 'Versions' })
    .getByRole('listitem', { name: 'Version 1', exact: true });
  await saved.getByRole('button', { name: 'Promote version 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(saved).toContainText('runs now');
  return 'version 1 of task-rubric saved, promoted, and runs now';
}

/** @param {Walk} walk @param {string} modelUrl @returns {Promise<string>} */
export async function connectModel(walk, modelUrl) {
  const { page } = walk;
  await page.goto(`${base(walk)}/settings/providers`);
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /OpenAI-compatible/ }).check();
  await dialog.getByLabel('Name').fill('openai');
  await dialog.getByLabel('Address').fill(modelUrl);
  await dialog.getByLabel('API key').fill('sk-scripted');
  await dialog.getByLabel('Models').fill('gpt-4o-mini');
  await dialog.getByRole('button', { name: 'Save provider' }).click();
  await expect(
    page.getByRole('table', { name: 'Providers' }).getByRole('row').filter({ hasText: 'openai' }),
  ).toBeVisible();
  return 'provider openai, in whose place a script answers';
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function judgeTask(walk) {
  const printed = JSON.parse(await runExample(walk, walk.example('/v1/verify/task')));
  return `${printed.outcome}, score ${printed.score}, by ${printed.scores?.find((/** @type {{ model: unknown }} */ { model }) => model)?.model}`;
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function callGateway(walk) {
  const { page, instance } = walk;
  await page.goto(base(walk));
  await goTo(page, 'Gateway');
  const command = page.getByLabel('Command that sends a first call');
  await expect(command).toContainText(walk.key);
  const printed = await runInShell((await command.textContent()) ?? '', instance.env);
  const verdict = /^x-assay-verdict: (\S+)/m.exec(printed)?.[1] ?? '';
  expect(verdict, printed).toBe('not_verified');
  await expect(page.getByRole('list', { name: 'Numbers' })).toContainText(/Calls\s*1/);
  return `HTTP 200, ${verdict}: no verifier is set yet; its page opened by itself`;
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function steerAnswer(walk) {
  await runExample(walk, walk.example('/v1/gateway/routes/openai'));
  return 'the client got the second answer, and the verdict of the first';
}
