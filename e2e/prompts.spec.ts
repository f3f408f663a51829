import type { Page } from '@playwright/test';
import superjson from 'superjson';
import { type ScriptedLlm, startScriptedLlm } from '../testing/scripted-llm';
import { ownerState, project, readInstance, readKey } from './instance';
import { judgedTask, judgeReply, verifyTask } from './tasks';
import { allowNoPointer, choose, expect, expectListening, expectNoViolations, test } from './test';

const base = `/p/${project.slug}/prompts`;
const slug = 'task-rubric';

test.use({ storageState: ownerState });

const editor = (page: Page) => page.getByRole('textbox', { name: /^Text of / });
const versions = (page: Page) => page.getByRole('list', { name: 'Versions' });
const version = (page: Page, name: string) =>
  versions(page).getByRole('listitem', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: /^Save as version/ });
const changes = (page: Page) => page.getByRole('region', { name: 'Changes', exact: true });

/** Types on a new line at the end of the text. */
async function append(page: Page, words: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText(words);
}

// The refusal of a wrong text is provoked.
test.describe('by one who may write', () => {
  test.use({ allowedErrors: /status of 422/ });
  test('a prompt is edited, compared, saved, promoted and rolled back, by keyboard alone', async ({
    page,
  }) => {
    await allowNoPointer(page);
    await page.goto(base);
    await expectListening(page);
    await page.keyboard.press('j');
    await expect(
      page.getByRole('table', { name: 'Prompts' }).getByRole('link').first(),
    ).toBeFocused();
    await page.locator(`[data-row="${slug}"]`).focus();
    await page.keyboard.press('Enter');
    await expect(editor(page)).toContainText('{{criteria}}');
    await expect(version(page, 'Release')).toContainText('production');
    await expectListening(page);
    await expectNoViolations(page);

    await test.step('e goes into the text, Escape leaves it, and no shortcut fires while typing', async () => {
      await page.keyboard.press('e');
      await expect(editor(page)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(editor(page)).not.toBeFocused();
      await expect(save(page)).toBeDisabled();
    });

    await test.step('faults are reported with their line, and nothing is saved', async () => {
      await append(page, 'Mind {{everything}}.');
      const check = page.getByRole('status', { name: 'Check of the text' });
      await expect(check).toContainText('{{everything}} is not a placeholder of this prompt');
      await expectNoViolations(page);
      await page.keyboard.press('Control+s');
      await expect(page.getByRole('alert').filter({ hasText: '{{everything}}' })).toBeVisible();
      await expect(versions(page).getByRole('listitem')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await check.getByRole('button', { name: /^Line / }).press('Enter');
      await expect(editor(page)).toBeFocused();
      await page.getByRole('button', { name: 'Discard' }).press('Enter');
      await expect(page.getByText('Saved', { exact: true })).toBeVisible();
      await expect(check).toBeEmpty();
    });

    await test.step('the changes are shown before they are saved; a reload keeps them', async () => {
      await append(page, 'Quote what you judge. <img src=x onerror=alert(1)>');
      await expect(changes(page)).toContainText('Quote what you judge.');
      await expect(changes(page).getByRole('status')).toContainText('added');
      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await expect(page.getByText('Unsaved draft from an earlier visit')).toBeVisible();
      // The editor draws only the lines near its view.
      await editor(page).focus();
      await page.keyboard.press('Control+End');
      await expect(editor(page)).toContainText('Quote what you judge.');
      await expectNoViolations(page);
    });

    await test.step('Ctrl S saves a version that does not run yet', async () => {
      await page.getByRole('textbox', { name: 'What changed, and why' }).fill('Asks for quotes');
      await editor(page).focus();
      await page.keyboard.press('Control+s');
      await expect(version(page, 'Version 1')).toContainText('Asks for quotes');
      await expect(page).toHaveURL(/version=1/);
      await expect(version(page, 'Release')).toContainText('runs now');
      await expect(page.getByText('Saved', { exact: true })).toBeVisible();
      await expect(editor(page)).toBeFocused();
    });

    await test.step('two versions are compared, and the later one promoted', async () => {
      await version(page, 'Version 1')
        .getByRole('button', { name: 'Compare production with version 1' })
        .press('Enter');
      const table = page.getByRole('table', { name: 'Changes from the release to version 1' });
      await expect(table.getByRole('row').filter({ hasText: 'Added' })).toContainText([
        'Quote what you judge.',
      ]);
      await expect(table.locator('img')).toHaveCount(0);
      const dialog = page.getByRole('dialog');
      const promote = dialog.getByRole('button', { name: 'Promote', exact: true });
      // A page that is still rendering the comparison loses the key press, or the dialog that it
      // opened.
      await expect(async () => {
        if (!(await dialog.isVisible()))
          await version(page, 'Version 1')
            .getByRole('button', { name: 'Promote version 1' })
            .press('Enter', { timeout: 10_000 });
        // A key press on a button that waits for the gate would reach another one.
        await expect(promote).toBeEnabled({ timeout: 20_000 });
      }).toPass();
      await expectNoViolations(page);
      await promote.press('Enter');
      await expect(version(page, 'Version 1')).toContainText('runs now');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step('and rolled back, with both in the audit log', async () => {
      await version(page, 'Release')
        .getByRole('button', { name: 'Roll back to version 0' })
        .press('Enter');
      await page
        .getByRole('dialog', { name: 'Roll back to the release' })
        .getByRole('button', { name: 'Roll back' })
        .press('Enter');
      await expect(version(page, 'Release')).toContainText('runs now');
      await page.goto(`/p/${project.slug}/settings/audit`);
      await expect(page.getByText('prompts.promote')).toHaveCount(2);
      await expect(page.getByText('prompts.save')).toHaveCount(1);
    });
  });
});

// The refusals of a wrong slug and a wrong text are provoked.
test.describe('a prompt of an application', () => {
  test.use({ allowedErrors: /status of 422|status of 400/ });
  test('is created, edited and promoted, without a trial or a gate', async ({ page }) => {
    const own = 'e2e-answer';
    await page.goto(base);
    await expectListening(page);
    await page.getByRole('button', { name: 'Create prompt' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create prompt' });
    const slugField = dialog.getByRole('textbox', { name: 'Slug' });
    const text = dialog.getByRole('textbox', { name: 'Text' });
    const create = dialog.getByRole('button', { name: 'Create prompt' });
    await expectNoViolations(page);

    await test.step('faults are shown at their field', async () => {
      const body = await text.inputValue();
      for (const [wrong, message] of [
        ['Not A Slug', 'must have lower-case letters'],
        [slug, `there is a prompt "${slug}" already`],
      ] as const) {
        await slugField.fill(wrong);
        await create.click();
        await expect(dialog.getByRole('alert').filter({ hasText: message })).toBeVisible();
        await expect(slugField).toHaveAttribute('aria-invalid', 'true');
      }
      await slugField.fill(own);
      await text.fill(body.replace('{{context}}', '{{everything}}'));
      await create.click();
      await expect(dialog.getByRole('alert')).toContainText('line 7: {{everything}} is not a');
      await expect(text).toHaveAttribute('aria-invalid', 'true');
      await text.fill(body);
    });

    await test.step('its page says what it is for, and offers no trial', async () => {
      await create.click();
      await expect(page).toHaveURL(new RegExp(`${base}/${own}$`));
      await expect(version(page, 'Version 1')).toContainText('runs now');
      const use = page.getByRole('region', { name: 'Where it is used' });
      await expect(use).toContainText('your application');
      await expect(use).toContainText('{{input}}');
      for (const name of ['Trial on history', 'Promotions', 'Preview'])
        await expect(page.getByRole('region', { name, exact: true })).toHaveCount(0);
      await expectNoViolations(page);
    });

    await test.step('another version is compared, saved and promoted', async () => {
      await append(page, 'Be brief.');
      await expect(changes(page)).toContainText('Be brief.');
      await save(page).click();
      await expect(page).toHaveURL(/version=2/);
      await version(page, 'Version 2').getByRole('button', { name: 'Promote version 2' }).click();
      const promote = page.getByRole('dialog', { name: 'Promote version 2' });
      await promote.getByRole('button', { name: 'Promote', exact: true }).click();
      await expect(version(page, 'Version 2')).toContainText('runs now');
      const response = await fetch(`${readInstance().edgeUrl}/v1/prompts/${own}`, {
        headers: { authorization: `Bearer ${readKey()}` },
      });
      expect(await response.json()).toMatchObject({ kind: 'application', production_version: 2 });
    });
  });
});

test('SOAR-35 examples are next to the text by band, and are added, changed and removed in the draft', async ({
  page,
}) => {
  const panel = page.getByRole('region', { name: 'Examples', exact: true });
  const band = (name: string) => panel.getByRole('region', { name: `${name} examples` });
  const check = panel.getByRole('status', { name: 'Check of the examples' });
  await page.goto(`${base}/decomposition-self`);
  await expect(band('Good').getByRole('listitem')).toContainText([
    '0.94SIMPLEWhich of our cron jobs',
  ]);
  await expect(band('Mediocre').getByRole('listitem')).toHaveCount(1);
  await expect(check).toBeEmpty();
  await expectNoViolations(page);

  await test.step('one is removed: its band is missing, and the text may still be saved', async () => {
    await panel.getByRole('button', { name: 'Remove example 2' }).click();
    await expect(band('Mediocre')).toContainText('None.');
    await expect(check).toContainText('No example is mediocre (0.6 to 0.7)');
    await expect(save(page)).toBeEnabled();
    await expect(changes(page).getByRole('row').filter({ hasText: 'Removed' })).not.toHaveCount(0);
  });

  await test.step('one is added, and faults are shown at their field', async () => {
    await panel.getByRole('button', { name: 'Add example' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add example' });
    await choose(dialog.getByRole('combobox', { name: 'Band' }), /^mediocre/);
    await choose(dialog.getByRole('combobox', { name: 'Complexity' }), 'COMPLEX');
    await dialog.getByRole('textbox', { name: 'Score', exact: true }).fill('0.8');
    await dialog.getByRole('textbox', { name: 'Query' }).fill('Move the archive: all of it # soon');
    await dialog
      .getByRole('textbox', { name: 'Decomposition' })
      .fill('Goal: it is moved.\nm1 [mover] Move it.');
    await dialog.getByRole('button', { name: 'Save to draft' }).click();
    await expect(
      dialog.getByRole('alert').filter({ hasText: 'in the band "mediocre", not 0.8' }),
    ).toBeVisible();
    await expect(dialog.getByRole('textbox', { name: 'Why it has this score' })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await expectNoViolations(page);
    await dialog.getByRole('textbox', { name: 'Score', exact: true }).fill('0.65');
    await dialog
      .getByRole('textbox', { name: 'Why it has this score' })
      .fill('Nothing proves that all was moved.');
    await dialog.getByRole('button', { name: 'Save to draft' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(band('Mediocre').getByRole('listitem')).toContainText(
      '0.65COMPLEXMove the archive: all of it # soon',
    );
    await expect(check).toBeEmpty();
  });

  await test.step('one is changed, and the preview shows it as the judge gets it', async () => {
    await panel.getByRole('button', { name: 'Edit example 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit example 1' });
    await expect(dialog.getByRole('textbox', { name: 'Query' })).toHaveValue(
      /^Which of our cron jobs/,
    );
    await dialog.getByRole('textbox', { name: 'Score', exact: true }).fill('0.93');
    await dialog.getByRole('button', { name: 'Save to draft' }).click();
    await expect(band('Good').getByRole('listitem')).toContainText(['0.93SIMPLE']);
    await expect(page.getByRole('region', { name: 'Filled text' })).toContainText(
      'Example 1: good, overall 0.93',
    );
  });

  await test.step('it is a draft until it is saved', async () => {
    await expect(page.getByText('Unsaved changes')).toBeVisible();
    await page.getByRole('textbox', { name: 'What changed, and why' }).fill('Another mediocre one');
    await save(page).click();
    await expect(page).toHaveURL(/version=1/);
    await expect(band('Mediocre').getByRole('listitem')).toContainText('Move the archive');
  });
});

test('a version has its own address, and an unknown one is not found', async ({ page }) => {
  await page.goto(`${base}/${slug}?version=0`);
  await expect(page.getByRole('region', { name: 'Text of the release' })).toBeVisible();
  await expectListening(page);
  await page.keyboard.press('j');
  await expect(versions(page).locator('[data-row]').first()).toBeFocused();
});

test('S-34 the preview is filled with a real task, literally', async ({ page }) => {
  const sent = await fetch(`${readInstance().edgeUrl}/v1/verify/task`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      id: 'e2e-preview',
      task_id: 'preview-me',
      mode: 'async',
      task_description: 'List the risks of {{output}}.',
      success_criteria: ['Names six risks'],
      task_output: 'One risk: <img src=x onerror=alert(1)> ${1+1}',
    }),
  });
  expect([200, 202]).toContain(sent.status);
  await page.goto(`${base}/${slug}?version=0`);
  const preview = page.getByRole('region', { name: 'Preview', exact: true });
  await expect(preview.getByRole('combobox', { name: 'With' })).toContainText('preview-me');
  const filled = preview.getByRole('region', { name: 'Filled text' });
  for (const text of [
    'List the risks of {{output}}.',
    'Names six risks',
    '<img src=x onerror=alert(1)> ${1+1}',
    'empty',
  ])
    await expect(filled).toContainText(text);
  await expect(filled.locator('img')).toHaveCount(0);
  await expectNoViolations(page);
});

/** Saves the provider as the provider page does; without a scripted provider, removes it. */
async function setProvider(page: Page, llm: ScriptedLlm | null): Promise<void> {
  const { webUrl } = readInstance();
  const input = { project: project.slug, name: 'house' };
  const provider = {
    kind: 'openai_compatible',
    base_url: llm?.baseUrl,
    api_key: 'sk-e2e-prompts',
    models: ['llama3:8b'],
  };
  const data = superjson.serialize(llm === null ? input : { ...input, ...provider });
  const procedure = llm === null ? 'delete' : 'put';
  const response = await page.request.post(`${webUrl}/api/trpc/providers.${procedure}`, {
    data,
    headers: { origin: webUrl },
  });
  expect(response.status(), await response.text()).toBe(200);
}

/** The versions of the prompt that judged a verification. */
async function promptsOf(
  id: string,
): Promise<{ readonly state: string; readonly prompts: readonly string[] }> {
  const response = await fetch(`${readInstance().edgeUrl}/v1/verifications/${id}`, {
    headers: { authorization: `Bearer ${readKey()}` },
  });
  const { state, scores } = (await response.json()) as {
    state: string;
    scores: { prompt_version?: string | null }[];
  };
  return {
    state,
    prompts: [...new Set(scores.flatMap(({ prompt_version }) => prompt_version ?? []))],
  };
}

test('X-8 a prompt is edited while a job runs: that job keeps the old version, the next uses the new one', async ({
  page,
}) => {
  const llm = await startScriptedLlm({ port: readInstance().llmPort });
  try {
    let release = (): void => undefined;
    const replyGate = new Promise<void>((resolve) => {
      release = resolve;
    });
    llm.answerWith((call) => replyGate.then(() => judgeReply(call)));
    await setProvider(page, llm);
    const nextCall = llm.nextCall();
    // Differs from the words of other journeys, since judged content is not judged again.
    const work = { ...judgedTask, task_output: `${judgedTask.task_output} Held.` };
    const running = await verifyTask({ ...work, id: 'e2e-keeps-prompt', mode: 'async' });
    await nextCall;

    await page.goto(`${base}/${slug}`);
    await expectListening(page);
    await append(page, 'Look twice.');
    await page.getByRole('textbox', { name: 'What changed, and why' }).fill('Looks twice');
    await editor(page).focus();
    await page.keyboard.press('Control+s');
    await expect(page).toHaveURL(/version=[1-9]/);
    const saved = `${new URL(page.url()).searchParams.get('version')}`;
    await version(page, `Version ${saved}`)
      .getByRole('button', { name: `Promote version ${saved}` })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Promote', exact: true }).click();
    await expect(version(page, `Version ${saved}`)).toContainText('runs now');
    expect((await promptsOf(running.id)).state).toBe('pending');

    release();
    await expect
      .poll(() => promptsOf(running.id))
      .toEqual({ state: 'settled', prompts: [`${slug}@0`] });
    const next = await verifyTask({ ...work, id: 'e2e-next-prompt' });
    expect(await promptsOf(next.id)).toEqual({ state: 'settled', prompts: [`${slug}@${saved}`] });
    await version(page, 'Release').getByRole('button', { name: 'Roll back to version 0' }).click();
    await page
      .getByRole('dialog', { name: 'Roll back to the release' })
      .getByRole('button', { name: 'Roll back' })
      .click();
    await expect(version(page, 'Release')).toContainText('runs now');
  } finally {
    await setProvider(page, null);
    await llm.close();
  }
});

test.describe('unknown addresses', () => {
  test.use({ allowedErrors: /status of 404/ });
  test('an unknown prompt and an unknown version are not found', async ({ page }) => {
    for (const path of [`${base}/nobodys`, `${base}/${slug}?version=999`]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: 'No such prompt' })).toBeVisible();
    }
  });
});
