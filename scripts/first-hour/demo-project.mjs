// Steps in the demo project, which has historical data.
import { runInShell } from './new-instance.mjs';
import { expect, goTo } from './own-project.mjs';
import { Failure } from '../failure.mjs';

/** @typedef {import('./walk.mjs').Walk} Walk */

/** @param {Walk} walk @returns {Promise<string>} */
export async function fillDemo({ page, instance }) {
  const printed = await runInShell('npm run demo', instance.env);
  const address = /https?:\/\/\S+\/p\/demo/.exec(printed)?.[0];
  if (address === undefined)
    throw new Failure(`npm run demo does not say where to look: ${printed.slice(-500)}`);
  await page.goto(address);
  await page.getByLabel('Project', { exact: true }).click();
  await page.getByRole('option', { name: 'Demo' }).click();
  await goTo(page, 'Overview');
  await expect(page.getByText(/simulated/i).first()).toBeVisible();
  const answer = page.getByRole('heading', { level: 1 });
  await expect(answer).toContainText('% of ');
  return (await answer.textContent()) ?? '';
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function removeDemo({ page, instance }) {
  await page.goto(`${instance.webUrl}/p/demo`);
  await page.getByRole('button', { name: 'Remove the demo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the demo' }).click();
  await expect(page).not.toHaveURL(/\/p\/demo/);
  await page.getByLabel('Project', { exact: true }).click();
  await expect(page.getByRole('option')).not.toHaveCount(0);
  await expect(page.getByRole('option', { name: 'Demo' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  return 'deleted with all its data';
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function moveThreshold({ page }) {
  await goTo(page, 'Thresholds');
  await page.getByRole('link', { name: /^pass_threshold of Task/i }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const slider = page.getByRole('slider', { name: /^pass_threshold/ });
  await slider.focus();
  for (let press = 0; press < 10; press++) await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('columnheader', { name: /^Tried,/ })).toBeVisible();
  const flips = page.getByRole('region', { name: 'Verdicts that would flip', exact: true });
  await expect(flips).toBeVisible();
  await page.getByRole('button', { name: 'Apply change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply pass_threshold' });
  await dialog.getByLabel('Reason').fill('Stricter for reports that people act on');
  await page.keyboard.press('Enter');
  const note = page.getByRole('group', { name: 'Applied' });
  await expect(note).toContainText('from now on');
  return ((await note.textContent()) ?? '').replace(/Undo.*$/, '').trim();
}
