import type { Page } from '@playwright/test';
import superjson from 'superjson';
import { type ScriptedLlm, startScriptedLlm } from '../testing/scripted-llm';
import { ownerState, project, readInstance } from './instance';
import {
  checkedTask,
  contradiction,
  failedTask,
  judgedTask,
  judgeReply,
  mission,
  type TaskReply,
  verifyTask,
} from './tasks';
import {
  choose,
  expect,
  expectAllFormsOf,
  expectListening,
  expectNoViolations,
  test,
} from './test';

test.use({ storageState: ownerState });

const base = `/p/${project.slug}`;
let llm: ScriptedLlm;

test.beforeAll(async () => {
  llm = await startScriptedLlm({ port: readInstance().llmPort });
  llm.answerWith(judgeReply);
});

test.afterAll(() => llm.close());

const evidence = (page: Page) => page.getByRole('region', { name: 'Evidence' });
const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const scores = (page: Page) => page.getByRole('list', { name: 'Scores by criterion' });

/** Saves the provider as the provider page does. */
async function setProvider(page: Page, action: 'put' | 'delete'): Promise<void> {
  const { webUrl } = readInstance();
  const input = { project: project.slug, name: 'house' };
  const provider = {
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    api_key: 'sk-e2e-verifiers',
    models: ['llama3:8b'],
  };
  const data = superjson.serialize(action === 'put' ? { ...input, ...provider } : input);
  const response = await page.request.post(`${webUrl}/api/trpc/providers.${action}`, {
    data,
    headers: { origin: webUrl },
  });
  expect(response.status(), await response.text()).toBe(200);
}

async function openVerdict(page: Page, { id }: TaskReply): Promise<void> {
  await page.goto(`${base}/verdicts/${id}`);
  await expect(page.getByRole('region', { name: 'Output' })).toBeVisible();
}

test('X-3 VS-9 VS-11 without a provider: checks decide, and judged work is inconclusive with the next step', async ({
  page,
}) => {
  expect(await verifyTask(checkedTask)).toMatchObject({ verdict: 'pass' });
  const failed = await verifyTask(failedTask);
  expect(failed).toMatchObject({ verdict: 'fail' });
  const unasked = await verifyTask(judgedTask);
  expect(unasked).toMatchObject({ outcome: 'inconclusive', verdict: null });

  await test.step('a failed check leads from the verdict list to its reason', async () => {
    await page.goto(`${base}/verdicts?verifier=task`);
    await expect(
      page.getByRole('row').filter({ hasText: checkedTask.task_description }).first(),
    ).toContainText('score 1');
    await page.getByRole('link', { name: failedTask.task_description }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Failed');
    await expect(evidence(page).getByRole('heading', { name: 'Checks that failed' })).toBeVisible();
    await expect(details(page)).toContainText('release-9');
    await page.getByRole('region', { name: 'Request' }).getByRole('button').first().click();
    await expect(scores(page).getByRole('listitem').first()).toBeFocused();
    await expectNoViolations(page);
  });

  await test.step('VS-28 it is accepted with a warning, with a reason, and undone', async () => {
    const step = page.getByRole('group', { name: 'Action on the work' });
    await expect(step.getByRole('button')).toHaveText([
      'Send back',
      'Escalate',
      'Accept with warning',
    ]);
    await step.getByRole('button', { name: 'Accept with warning' }).click();
    const reasonField = step.getByRole('textbox');
    await expect(reasonField).toHaveAccessibleDescription(/Explain why you accept it/);
    await reasonField.fill('It must go out today.');
    await step.getByRole('button', { name: 'Accept with warning' }).click();
    await expect(page.getByText('accepted with a warning, of low confidence')).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: /^Undo accepted with a warning by / }).click();
    await expect(page.getByText('accepted with a warning, of low confidence')).toHaveCount(0);
  });

  await test.step('an inconclusive one shows the fault, links to the providers, and can be ruled on', async () => {
    await openVerdict(page, unasked);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Inconclusive');
    await expect(evidence(page).getByRole('heading', { name: 'No judge available' })).toBeVisible();
    await expect(
      evidence(page).getByRole('link', { name: 'Settings › Providers' }),
    ).toHaveAttribute('href', `${base}/settings/providers`);
    await expect(page.getByRole('main').locator('img')).toHaveCount(0);
    await page.getByRole('radio', { name: 'partial' }).check();
    await page
      .getByRole('textbox', { name: /^Reason(?! for action)/ })
      .fill('The owner is missing.');
    await page.getByRole('button', { name: 'Override verdict' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Needs review');
  });
  await expectAllFormsOf(page, `${base}/verdicts/${unasked.id}`);
});

test('VS-3 VS-17 VS-19 VS-38 a judged task: scores with reasons, each passage linked both ways, model, prompt, cost and threshold', async ({
  page,
}) => {
  await setProvider(page, 'put');
  const judged = await verifyTask({ ...judgedTask, id: 'e2e-judged' });
  await setProvider(page, 'delete');
  expect(judged).toMatchObject({ state: 'settled' });
  await openVerdict(page, judged);
  await expect(scores(page)).toContainText('It says two weeks.');
  await expect(scores(page)).toContainText('<b>No owner</b>');
  await expect(details(page)).toContainText('Name the owner of the migration.');

  await test.step('from a passage to its reasoning and back, by keyboard', async () => {
    const mark = page
      .getByRole('region', { name: 'Output' })
      .getByRole('link', { name: /The migration slips by two weeks/ });
    // A key that is pressed before the page's scripts run is lost.
    await expect(async () => {
      await page.keyboard.press('n');
      await expect(mark).toBeFocused({ timeout: 5_000 });
    }).toPass();
    await mark.press('Enter');
    const score = scores(page)
      .getByRole('listitem')
      .filter({ hasText: 'It says two weeks.' })
      .first();
    await expect(score).toBeFocused();
    await score
      .getByRole('button', { name: /The migration slips by two weeks.*go to it in the text/ })
      .click();
    await expect(mark).toBeFocused();
  });

  await test.step('the judge, its prompt, its cost, its threshold', async () => {
    await expect(
      details(page).getByRole('link', { name: 'task-rubric@0' }).first(),
    ).toHaveAttribute('href', `${base}/prompts/task-rubric?version=0`);
    await expect(details(page)).toContainText('From a different model family');
    await expect(details(page)).toContainText('0.7, default');
    await expect(details(page)).toContainText('1,020 tokens');
    await details(page)
      .getByRole('link', { name: /^task@/ })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Task' })).toBeVisible();
  });
  await expectAllFormsOf(page, `${base}/verdicts/${judged.id}`);
});

test('VS-17 VS-42 outputs that contradict each other, and a mission as a whole', async ({
  page,
}) => {
  await setProvider(page, 'put');
  const pair = await verifyTask(contradiction, 'consistency');
  const missionVerdict = await verifyTask(mission, 'mission');
  await setProvider(page, 'delete');
  await openVerdict(page, pair);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('inconsistent');
  await expect(page.getByRole('list', { name: 'Pairs' })).toContainText(
    'The budget covers half of the plan. <b>half</b>',
  );
  await expect(
    page
      .getByRole('region', { name: 'Output' })
      .getByRole('link', { name: /^takes two weeks *, quoted for/ }),
  ).toBeVisible();
  const second = page
    .getByRole('region', { name: 'Output' })
    .getByRole('link', { name: /^One week is budgeted *, quoted for/ });
  await expect(second).toBeVisible();
  await expect(async () => {
    await page
      .getByRole('button', { name: /^One week is budgeted *, go to it in the text/ })
      .click();
    await expect(second).toBeFocused({ timeout: 5_000 });
  }).toPass();
  await expectAllFormsOf(page, `${base}/verdicts/${pair.id}`);
  await openVerdict(page, missionVerdict);
  await expect(evidence(page)).toContainText('Planned, and not yet budgeted.');
  await expect(evidence(page)).toContainText('It names no amount.');
  await expect(page.getByRole('region', { name: 'Request' })).toContainText(mission.description);
  await expectAllFormsOf(page, `${base}/verdicts/${missionVerdict.id}`);
});

test('VS-8 VS-33 the page of a verifier: plan, thresholds that link to their page, prompts, cost, verdicts', async ({
  page,
}) => {
  await page.goto(`${base}/verifiers`);
  await page.getByRole('table', { name: 'Verifiers' }).getByRole('link', { name: 'Task' }).click();
  const nodes = page.getByRole('table', { name: 'Nodes of the plan' });
  await expect(
    nodes.getByRole('row').filter({ hasText: 'Every risk says by how much' }),
  ).toContainText('calls a judge');
  await expect(page.getByRole('img', { name: /nodes in 2 stages/ })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Prompts' }).getByRole('link')).toHaveCount(3);
  await expect(page.getByRole('table', { name: 'Cost of judging' })).toContainText('7 days');
  await expect(
    page.getByRole('table', { name: 'Recent verdicts' }).getByRole('link').first(),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'All of task' })).toHaveAttribute(
    'href',
    `${base}/verdicts?verifier=task`,
  );
  await expect(page.getByRole('link', { name: 'Calibration of task' })).toBeVisible();

  const pass = page.getByRole('listitem', { name: 'pass_threshold' });
  await expect(pass).toContainText('0.7');
  await expect(pass.getByRole('link', { name: 'Move pass_threshold' })).toHaveAttribute(
    'href',
    `${base}/thresholds?verifier=task&key=pass_threshold`,
  );
  await expectAllFormsOf(page, `${base}/verifiers/task`);
});

// The refusal of a value is provoked.
test.describe('settings', () => {
  test.use({ allowedErrors: /status of 422/ });
  test('VS-40 the settings of a verifier: explained, validated at their field, saved as its next version', async ({
    page,
  }) => {
    const path = `${base}/verifiers/consistency`;
    await page.goto(`${base}/verdicts`);
    await expectListening(page);
    await page.goto(path);
    const form = page.getByRole('form', { name: 'Settings' });
    const shown = form.getByLabel('Shown of each output');
    const save = form.getByRole('button', { name: /^Save as version / });
    await expect(form).toContainText('Version 1, default');
    await expect(shown).toHaveAccessibleDescription(/From 500 to 100,000\. The default is 4000\./);
    await expect(
      form.getByRole('group', { name: 'Ask in both orders' }),
    ).toHaveAccessibleDescription(/Twice the calls/);
    await test.step('an unchanged value and an invalid number are reported at once; the server refuses a value out of range', async () => {
      await save.click();
      await expect(form.getByRole('alert')).toHaveText('Nothing is changed.');
      await shown.fill('many');
      await save.click();
      await expect(shown).toHaveAccessibleDescription(/Enter a number from 500 to 100,000/);
      await shown.fill('12');
      await save.click();
      await expect(shown).toHaveAccessibleDescription(/500/);
      await expect(shown).toHaveAttribute('aria-invalid', 'true');
      await expectNoViolations(page);
    });
    await test.step('saved as the next version', async () => {
      await shown.fill('9000');
      await form.getByRole('checkbox', { name: 'On' }).check();
      await form.getByLabel('Reason').fill('Long minutes');
      await save.click();
      await expect(page.getByRole('code').filter({ hasText: 'consistency@2' })).toBeVisible();
      await expect(save).toHaveText('Save as version 3');
      await form.getByText('Changes', { exact: true }).click();
      await expect(form.getByRole('list', { name: 'Versions' })).toContainText(
        'Ask in both orders: off → on; Shown of each output: 4000 → 9000',
      );
      await page.reload();
      await expect(shown).toHaveValue('9000');
      await expect(form.getByRole('checkbox', { name: 'On' })).toBeChecked();
    });
    await expectAllFormsOf(page, path);
    await form.getByRole('checkbox', { name: 'On' }).uncheck();
    await shown.fill('4000');
    await save.click();
    await expect(page.getByRole('code').filter({ hasText: 'consistency@3' })).toBeVisible();
    await page.goto(`${base}/settings/audit`);
    await expect(
      page.getByRole('row').filter({ hasText: 'verifiers.update' }).first(),
    ).toBeVisible();
  });
});

test('a verifier of turns calls no model and has no threshold', async ({ page }) => {
  await page.goto(`${base}/verifiers/integrity`);
  await expect(page.getByRole('table', { name: 'Nodes of the plan' }).getByRole('row')).toHaveCount(
    4,
  );
  await expect(page.getByText('It has no threshold')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Cost of judging' })).toHaveCount(0);
  await expectAllFormsOf(page, `${base}/verifiers/integrity`);
});

test('VS-38 VS-39 settings of judging are checked, saved, and read again', async ({ page }) => {
  const path = `${base}/settings/judging`;
  await page.goto(`${base}/verdicts`);
  await expectListening(page);
  await page.goto(path);
  const form = page.getByRole('form', { name: 'Judging' });
  await expect(page.getByRole('region', { name: 'No provider configured' })).toBeVisible();
  await expect(form.getByLabel('Floor, US dollars')).toHaveValue('0.1');
  await choose(form.getByLabel('Default judge', { exact: true }), 'Another model …');
  await form.getByLabel('Default judge: provider:model').fill('two words');
  await form.getByLabel('Budget, percent of the cost of the work').fill('-1');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(form.getByLabel('Default judge: provider:model')).toHaveAccessibleDescription(
    /provider:model/,
  );
  await expect(
    form.getByLabel('Budget, percent of the cost of the work'),
  ).toHaveAccessibleDescription(/Enter a number/);
  await expectNoViolations(page);
  await form.getByLabel('Default judge: provider:model').fill('openai:gpt-4o-mini?temperature=0.3');
  await form.getByLabel('Budget, percent of the cost of the work').fill('25');
  await choose(form.getByLabel('Retries'), '3');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(form.getByRole('status')).toHaveText('Saved');
  await page.reload();
  await expect(form.getByLabel('Default judge: provider:model')).toHaveValue(
    'openai:gpt-4o-mini?temperature=0.3',
  );
  await expect(form.getByLabel('Budget, percent of the cost of the work')).toHaveValue('25');
  await expect(form.getByLabel('Retries')).toHaveText('3');
  await expectAllFormsOf(page, path);
  await choose(form.getByLabel('Default judge', { exact: true }), 0);
  await form.getByLabel('Budget, percent of the cost of the work').fill('30');
  await choose(form.getByLabel('Retries'), '2');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(form.getByRole('status')).toHaveText('Saved');
});

test.describe('unknown addresses', () => {
  test.use({ allowedErrors: /status of 404/ });
  test('an unknown verifier is not found', async ({ page }) => {
    await page.goto(`${base}/verifiers/nobodys`);
    await expect(page.getByRole('heading', { name: 'No such verifier' })).toBeVisible();
  });
});
