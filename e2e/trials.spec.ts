import type { Page } from '@playwright/test';
import superjson from 'superjson';
import { type ScriptedCall, type ScriptedLlm, type ScriptedReply, startScriptedLlm, textOf } from '../scripts/harness/scripted-llm';
import { ownerState, project, readInstance, readKey } from './instance';
import { verifyTask } from './tasks';
import { expect, expectListening, expectNoViolations, test } from './test';

/** A prompt of its own: no other journey asks with it, nor leaves labels on such work. */
const slug = 'task-binary';
const base = `/p/${project.slug}/prompts/${slug}`;

test.use({ storageState: ownerState });
test.describe.configure({ mode: 'serial' });

let llm: ScriptedLlm;
/** What is asked meanwhile is answered when it is let go. */
let held: Promise<void> = Promise.resolve();
let version = 0;

test.beforeAll(async ({ browser }) => {
  llm = await startScriptedLlm({ port: readInstance().llmPort });
  llm.answerWith((call) => held.then(() => judge(call)));
  const page = await browser.newPage({ storageState: ownerState });
  const provider = { kind: 'openai_compatible', base_url: llm.baseUrl, api_key: 'sk-e2e-trials', models: ['gpt-4o-mini'] };
  await callConsole(page, 'providers.put', { name: 'house', ...provider });
  for (const [name, output, success] of [
    ['clear', 'The disk is full since 4 o’clock.', true],
    ['vague', 'Something is vague about the disk.', false],
    ['vaguer', 'All of it is vague. <img src=x onerror=alert(1)>', false],
  ] as const) {
    const { id } = await verifyTask({
      id: `e2e-trial-${name}`,
      success_criteria: ['Is clear'],
      scoring_mode: 'binary',
      task_output: output,
    });
    const sent = await fetch(`${readInstance().edgeUrl}/v1/outcomes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ outcomes: [{ verification_id: id, success }] }),
    });
    expect(await sent.json()).toMatchObject({ accepted: 1 });
  }
  const read = await page.request.get(`${readInstance().edgeUrl}/v1/prompts/${slug}/versions/0`, {
    headers: { authorization: `Bearer ${readKey()}` },
  });
  const { body } = (await read.json()) as { body: string };
  const saved = await callConsole(page, 'prompts.save', { slug, body: `${body}\nBe strict.\n`, message: 'Stricter' });
  version = (superjson.deserialize(saved.result.data) as { version: number }).version;
  await page.close();
});

test.afterAll(async ({ browser }) => {
  const page = await browser.newPage({ storageState: ownerState });
  await callConsole(page, 'providers.delete', { name: 'house' });
  await page.close();
  await llm.close();
});

interface ConsoleReply {
  readonly result: { readonly data: Parameters<typeof superjson.deserialize>[0] };
}

async function callConsole(page: Page, procedure: string, input: object): Promise<ConsoleReply> {
  const { webUrl } = readInstance();
  const data = superjson.serialize({ project: project.slug, ...input });
  const response = await page.request.post(`${webUrl}/api/trpc/${procedure}`, { data, headers: { origin: webUrl } });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()) as ConsoleReply;
}

/** Passes everything; told to be strict it fails what is vague. */
function judge({ body }: ScriptedCall): ScriptedReply {
  const asked = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(asked)?.[1] ?? '';
  const met = !(asked.includes('Be strict') && asked.includes('vague'));
  const criteria = [{ criterion: 1, reasoning: met ? 'It says what is meant.' : 'It says nothing.', quotes: [], met, confidence: 0.9 }];
  return { text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }), usage: { input: 900, output: 60 } };
}

const panel = (page: Page) => page.getByRole('region', { name: 'Try on history', exact: true });

test('a version is tried on labelled work before it is promoted: cost first, then agreement beside production, and the flips', async ({
  page,
}) => {
  await page.goto(`${base}?version=${version}`);
  await expectListening(page);
  await expect(panel(page)).toContainText(`Version ${version} was not tried yet.`);
  await expectNoViolations(page);
  const asked = llm.calls.length;

  await test.step('what it takes is shown before anybody is asked', async () => {
    await panel(page).getByRole('spinbutton', { name: 'Subjects at most' }).fill('201');
    await expect(panel(page)).toContainText('1 to 200');
    await panel(page).getByRole('spinbutton', { name: 'Subjects at most' }).fill('20');
    await panel(page).getByRole('button', { name: 'Show what it takes' }).click();
    const takes = panel(page).getByRole('status', { name: 'What the trial takes' });
    await expect(takes).toContainText('3 labelled subjects: 1 good, 2 bad.');
    await expect(takes).toContainText('All have a stored verdict of the version that runs.');
    await expect(takes).toContainText(/at most \$0\.\d+/);
    expect(llm.calls.length).toBe(asked);
  });

  await test.step('it runs, and says how right each version is', async () => {
    await panel(page).getByRole('button', { name: 'Try on 3' }).click();
    await expect(panel(page)).toContainText('Done: 3 of 3 judged. 3 calls');
    const table = panel(page).getByRole('table', { name: 'Agreement' });
    await expect(table.getByRole('row', { name: /^Agreement with the truth/ })).toContainText(/3\/3.*1\/3/);
    await expect(table.getByRole('row', { name: /^Catch rate/ })).toContainText(/2\/2.*0\/2/);
    await expect(panel(page)).toContainText(`version ${version} alone is right about 2, the release alone about 0 (McNemar, mid-p 0.250)`);
    expect(llm.calls.length).toBe(asked + 3);
    await expectNoViolations(page);
  });

  await test.step('the flips lead to the verdicts that stand', async () => {
    const flips = panel(page).getByRole('table', { name: 'Flips' });
    await expect(flips.getByRole('link')).toHaveCount(2);
    await expect(flips.locator('img')).toHaveCount(0);
    await flips.getByRole('link', { name: /^All of it is vague/ }).click();
    await expect(page).toHaveURL(/verdicts\/ver_/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goBack();
  });

  await test.step('whoever promotes it is told', async () => {
    await page
      .getByRole('list', { name: 'Versions' })
      .getByRole('button', { name: `Promote version ${version}` })
      .click();
    await expect(page.getByRole('dialog').getByRole('status', { name: 'Last trial' })).toContainText(
      'On history it agreed with the truth in 3/3; the release in 1/3.',
    );
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
  });
});

test('a trial that runs is cancelled', async ({ page }) => {
  let letGo = (): void => undefined;
  held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  try {
    await page.goto(`${base}?version=${version}`);
    await expectListening(page);
    await panel(page).getByRole('button', { name: 'Show what it takes' }).click();
    const asked = llm.nextCall();
    await panel(page).getByRole('button', { name: 'Try on 3' }).click();
    await asked;
    await expect(panel(page).getByRole('button', { name: 'Show what it takes' })).toHaveCount(0);
    await panel(page).getByRole('button', { name: 'Cancel the trial' }).click();
    await expect(panel(page)).toContainText('Cancelled: 0 of 3 judged.');
    await expect(panel(page).getByRole('combobox', { name: 'Trial of' })).toContainText('done');
  } finally {
    letGo();
    held = Promise.resolve();
  }
});
