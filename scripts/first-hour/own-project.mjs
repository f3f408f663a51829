// Steps in the user's first project: account, key, trace, verdict, override, and the setup list
// that ticks them.
import { expect as plainExpect } from '@playwright/test';
import { missingLines } from './read-examples.mjs';
import { runInShell } from './new-instance.mjs';
import { Failure } from '../failure.mjs';

/** @typedef {import('./walk.mjs').Walk} Walk */
/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('./read-examples.mjs').Example} Example */

export const project = { name: 'Ops assistant', slug: 'ops-assistant' };
export const expect = plainExpect.configure({ timeout: 60_000 });

const owner = {
  email: 'owner@example.org',
  name: 'Olga Owner',
  password: 'a long enough password',
};

/** @param {Page} page @param {string} title */
const stepOf = (page, title) =>
  page.getByRole('list', { name: 'Set-up steps' }).getByRole('listitem').filter({ hasText: title });

/** @param {Page} page @param {string} title */
const expectTicked = (page, title) =>
  expect(stepOf(page, title), `"${title}" is ticked`).not.toContainText('not done yet');

/**
 * Navigates like a user.
 *
 * @param {Page} page @param {string} name
 */
export async function goTo(page, name) {
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name, exact: true })
    .click();
}

/**
 * Runs an example of the README against this instance.
 * @param {Walk} walk
 * @param {Example} example
 * @returns {Promise<string>} its output
 * @throws Failure if the output does not match the README
 */
export async function runExample({ instance, key }, { command, answer }) {
  const localCommand = command
    .replaceAll('http://localhost:4318', instance.edgeUrl)
    .replaceAll('asy_…', key);
  const printed = await runInShell(localCommand, { ...instance.env, ASSAY_API_KEY: key });
  const missing = missingLines(answer ?? '', printed);
  if (missing.length > 0)
    throw new Failure(`the README shows ${missing[0]}; it was ${printed.slice(0, 600)}`);
  return printed;
}

/** @param {Walk} walk @param {string} link @returns {Promise<string>} */
export async function claimOwner({ page }, link) {
  await page.goto(link);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Your name').fill(owner.name);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByLabel('First project').fill(project.name);
  await page.getByRole('button', { name: 'Create account and project' }).click();
  await expect(page).toHaveURL(new RegExp(`/p/${project.slug}$`));
  await expect(stepOf(page, 'Create a key')).toHaveAttribute('aria-current', 'step');
  return 'signed in; the Overview lists what comes next';
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function createKey(walk) {
  const { page } = walk;
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('first hour');
  for (const scope of ['ingest', 'verify', 'read', 'gateway'])
    await expect(dialog.getByRole('checkbox', { name: scope })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'write' }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  walk.key =
    (await page
      .getByRole('dialog', { name: 'Copy the new key' })
      .getByLabel('New key')
      .textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByLabel('Command that sends a first turn')).toContainText(walk.key);
  await expectTicked(page, 'Create a key');
  return 'shown once, and filled into the command';
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function sendFirstTrace(walk) {
  const printed = await runExample(walk, walk.example('/v1/turns'));
  for (const title of ['Send a first trace', 'Get its verdict'])
    await expectTicked(walk.page, title);
  return `${printed.trim()}; ticked without a reload`;
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function readVerdict(walk) {
  const { page } = walk;
  await page.getByRole('link', { name: 'Read the newest' }).click();
  const head = page.getByRole('heading', { level: 1 });
  await expect(head).toContainText('Failed');
  await expect(page.getByRole('link', { name: /91\.4%, sourced/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /21.*unsourced/ })).toBeVisible();
  await runExample(walk, walk.example('/v1/verifications?'));
  await runExample(walk, walk.example('/v1/verify/integrity'));
  return 'failed: 91.4% has a source, 21 has none; the same over HTTP';
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function overruleVerdict({ page }) {
  const form = page.getByRole('form', { name: 'Rule on this verdict' });
  await form
    .getByRole('radiogroup', { name: 'Your verdict' })
    .getByRole('radio', { name: 'sourced', exact: true })
    .check();
  await form.getByRole('textbox', { name: 'Reason' }).fill('21 GiB is what the other tool said.');
  await form.getByRole('button', { name: 'Override verdict' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Passed');
  await goTo(page, 'Overview');
  await expectTicked(page, 'Overrule or grade one');
  return 'the verdict reads Passed, with the decision of the verifier next to it';
}

/** @param {Walk} walk @returns {Promise<string>} */
export async function checkSetupDone({ page, instance }) {
  await page.goto(`${instance.webUrl}/p/${project.slug}`);
  const panel = page.getByRole('region', { name: 'Set-up' });
  for (const title of ['Connect a model', 'Edit a prompt', 'Send a call through the gateway'])
    await expectTicked(page, title);
  const count = (await panel.getByRole('status').textContent()) ?? '';
  await panel.getByRole('button', { name: 'Dismiss' }).click();
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Show the set-up steps' })).toBeVisible();
  return `${count}; hidden with one click`;
}
