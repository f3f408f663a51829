import type { Page } from '@playwright/test';
import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState } from './instance';
import { expect, expectNoViolations, test } from './test';
import { SOME_CONTEXT } from '../testing/some-context';

/** A separate project, so that rules enforced here do not affect other journeys' verifiers. */
// A retry creates its own project.
const slug = `trust-${process.pid}`;
const verifierPage = `/p/${slug}/verifiers/integrity`;

test.use({ storageState: ownerState });

let key = '';

const tools = [{ id: 'tc1', name: 'disk', result: { used: 42 } }];

/** The panel after a worker has updated it. */
async function expectTrust(page: Page, words: string): Promise<void> {
  await expect(async () => {
    await page.goto(verifierPage);
    await expect(
      page
        .getByRole('region', { name: 'Trust', exact: true })
        .getByText(words, { exact: true })
        .first(),
    ).toBeVisible({
      timeout: 10_000,
    });
  }).toPass({ timeout: 100_000 });
}

test('calibration.md 5.11 a verifier is qualified by labels, loses its trust by missing a target, and shows its gaps', async ({
  page,
}) => {
  await callProcedure(page, 'projects.create', { slug, name: 'Trust' });
  key = await createKeyOf(page, slug, 'trust', ['verify', 'ingest', 'write', 'read']);
  const turns = Array.from({ length: 52 }, (_, n) => ({
    id: `t-${n}`,
    context: SOME_CONTEXT,
    output: n < 12 ? 'It is 73 %.' : 'It is 42.',
    tools,
  }));
  await postAs(key, '/v1/turns', { turns });
  await postAs(key, '/v1/outcomes', {
    outcomes: turns.map(({ id }, n) => ({ subject_id: id, success: n >= 12 })),
  });
  const panel = page.getByRole('region', { name: 'Trust', exact: true });

  await test.step('qualified, with its evidence', async () => {
    await expectTrust(page, 'Qualified');
    await expect(panel).toContainText('52, 12 of them on bad items');
    await expect(panel).toContainText('trust is not enforced');
  });

  await test.step('a missed target is set and enforced, by keyboard', async () => {
    await panel.getByRole('button', { name: 'Trust settings' }).press('Enter');
    const form = page.getByRole('form', { name: 'Trust settings' });
    await form.getByRole('checkbox', { name: 'Enforce trust' }).press('Space');
    await form.getByRole('textbox', { name: 'Catch rate, percent' }).fill('99');
    await form.getByRole('textbox', { name: 'Required slices' }).fill('nonsense');
    await form.getByRole('button', { name: 'Save settings' }).press('Enter');
    await expect(form.getByText(/^Enter one slice per line/)).toBeVisible();
    await expectNoViolations(page);
    await form.getByRole('textbox', { name: 'Required slices' }).fill('');
    await form.getByRole('button', { name: 'Save settings' }).press('Enter');
    await expect(panel).toContainText(
      'By its own settings, only a qualified verifier may block and steer.',
    );
    await expectTrust(page, 'Provisional, advises only');
    await expect(panel.getByRole('list', { name: 'What is missing' })).toContainText(
      'must reach 99%',
    );
  });

  await test.step('its verdicts are advisory now, and labelled so, with what is missing one key away', async () => {
    const verdict = await postAs(key, '/v1/verify/integrity', {
      id: 'asked',
      context: SOME_CONTEXT,
      output: 'It is 73 %.',
      tools,
    });
    expect([verdict.outcome, verdict.action]).toEqual(['failed', 'accept_with_warning']);
    await page.goto(`/p/${slug}/verdicts/${String(verdict.id)}`);
    const mark = page.locator('summary').filter({ hasText: 'Provisional, advises only' });
    await mark.press('Enter');
    await expect(page.getByText(/The lower bound of the catch rate is/).first()).toBeVisible();
    await expectNoViolations(page);
    await mark.press('Escape');
    await expect(page.getByText(/The lower bound of the catch rate is/).first()).toBeHidden();
    await mark.press('Enter');
    await page.getByRole('link', { name: 'Trust of integrity' }).click();
    await panel.getByText('2 changes of trust').or(panel.getByText('3 changes of trust')).click();
    await expect(panel.getByRole('list', { name: 'Changes of trust of integrity' })).toContainText(
      'Qualified to provisional',
    );
    await expectNoViolations(page);
  });
});
