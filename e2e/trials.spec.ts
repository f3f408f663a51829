import type { Page } from '@playwright/test';
import superjson from 'superjson';
import {
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  startScriptedLlm,
  textOf,
} from '../testing/scripted-llm';
import { splitOf } from '../server/domain';
import { ownerState, project, readInstance, readKey } from './instance';
import { verifyTask } from './tasks';
import { expect, expectAllForms, expectListening, expectNoViolations, test } from './test';

/** A separate prompt: no other journey uses it or labels such work. */
const slug = 'task-binary';
const base = `/p/${project.slug}/prompts/${slug}`;

test.use({ storageState: ownerState });
test.describe.configure({ mode: 'serial' });

let llm: ScriptedLlm;
/** The model delays its replies until this resolves. */
let replyGate: Promise<void> = Promise.resolve();
let version = 0;
let harsh = 0;
/** Tasks, of which every other one is good; all are held out for tests. */
const count = 24;

test.beforeAll(async ({ browser }) => {
  llm = await startScriptedLlm({ port: readInstance().llmPort });
  llm.answerWith((call) => replyGate.then(() => judge(call)));
  const page = await browser.newPage({ storageState: ownerState });
  const provider = {
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    api_key: 'sk-e2e-trials',
    models: ['gpt-4o-mini'],
  };
  await callConsole(page, 'providers.put', { name: 'house', ...provider });
  const sessions = Array.from({ length: 200 }, (_, n) => `e2e-trial-${n}`).filter(
    (session) => splitOf(session) === 'test',
  );
  const verified = await Promise.all(
    sessions.slice(0, count).map(async (session, n) => {
      const good = n % 2 === 0;
      const output = good
        ? `The disk is full since ${n} o’clock.`
        : `All of ${n} is vague. <img src=x onerror=alert(1)>`;
      const work = { success_criteria: ['Is clear'], scoring_mode: 'binary', task_output: output };
      const { id } = await verifyTask({ id: session, session_id: session, ...work });
      return { verification_id: id, success: good };
    }),
  );
  const sent = await fetch(`${readInstance().edgeUrl}/v1/outcomes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ outcomes: verified }),
  });
  expect(await sent.json()).toMatchObject({ accepted: count });
  const read = await page.request.get(`${readInstance().edgeUrl}/v1/prompts/${slug}/versions/0`, {
    headers: { authorization: `Bearer ${readKey()}` },
  });
  const { body } = (await read.json()) as { body: string };
  const save = async (words: string): Promise<number> => {
    const saved = await callConsole(page, 'prompts.save', {
      slug,
      body: `${body}\n${words}\n`,
      message: words,
    });
    return (superjson.deserialize(saved.result.data) as { version: number }).version;
  };
  version = await save('Be strict.');
  harsh = await save('Be harsh.');
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
  const response = await page.request.post(`${webUrl}/api/trpc/${procedure}`, {
    data,
    headers: { origin: webUrl },
  });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()) as ConsoleReply;
}

/**
 * Passes everything. If the prompt asks for strictness, it fails vague work; if for harshness,
 * everything.
 */
function judge({ body }: ScriptedCall): ScriptedReply {
  const prompt = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(prompt)?.[1] ?? '';
  const met = !(
    prompt.includes('Be harsh') ||
    (prompt.includes('Be strict') && prompt.includes('vague'))
  );
  const criteria = [
    {
      criterion: 1,
      reasoning: met ? 'It says what is meant.' : 'It says nothing.',
      quotes: [],
      met,
      confidence: 0.9,
    },
  ];
  return {
    text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }),
    usage: { input: 900, output: 60 },
  };
}

const panel = (page: Page) => page.getByRole('region', { name: 'Trial on history', exact: true });

test('a version has a trial on labelled work before promotion: cost first, then agreement next to production, and the flips', async ({
  page,
}) => {
  await page.goto(`${base}?version=${version}`);
  await expectListening(page);
  await expect(panel(page)).toContainText(`Version ${version} has no trial yet.`);
  await expectNoViolations(page);
  const callsBefore = llm.calls.length;

  await test.step('the cost is shown before any model is called', async () => {
    await panel(page).getByRole('spinbutton', { name: 'Maximum subjects' }).fill('201');
    await expect(panel(page)).toContainText('1 to 200');
    await panel(page).getByRole('spinbutton', { name: 'Maximum subjects' }).fill('60');
    await panel(page).getByRole('button', { name: 'Estimate' }).click();
    const takes = panel(page).getByRole('status', { name: 'Estimate of the trial' });
    await expect(takes).toContainText('24 held-out subjects: 12 good, 12 bad.');
    await expect(takes).toContainText('All have a stored verdict of the release.');
    await expect(takes).toContainText(/at most \$0\.\d+/);
    expect(llm.calls.length).toBe(callsBefore);
  });

  await test.step('it runs, and shows the accuracy of each version', async () => {
    await panel(page).getByRole('button', { name: 'Run trial on 24' }).click();
    await expect(panel(page)).toContainText('Done: 24 of 24 judged. 24 calls', { timeout: 20_000 });
    const table = panel(page).getByRole('table', { name: 'Agreement' });
    await expect(table.getByRole('row', { name: /^Agreement with the truth/ })).toContainText(
      /24\/24.*12\/24/,
    );
    await expect(table.getByRole('row', { name: /^Catch rate/ })).toContainText(/12\/12.*0\/12/);
    await expect(panel(page)).toContainText(
      `version ${version} alone is right about 12, the release alone about 0 (McNemar, mid-p < 0.001)`,
    );
    const gate = panel(page).getByRole('region', { name: 'Gate finding' });
    await expect(gate).toContainText('Better');
    await expect(gate.getByRole('row', { name: /^Catch rate/ })).toContainText(
      /12\/12.*0\/12.*12 against 0.*< 0\.001/,
    );
    expect(llm.calls.length).toBe(callsBefore + 24);
    await expectNoViolations(page);
  });

  await test.step('the flips lead to the stored verdicts', async () => {
    const flips = panel(page).getByRole('table', { name: 'Flips' });
    await expect(flips.getByRole('link')).toHaveCount(12);
    await expect(flips.locator('img')).toHaveCount(0);
    await flips
      .getByRole('link', { name: /^All of \d+ is vague/ })
      .first()
      .click();
    await expect(page).toHaveURL(/verdicts\/ver_/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goBack();
  });

  await test.step('the person who promotes it is informed', async () => {
    await page
      .getByRole('list', { name: 'Versions' })
      .getByRole('button', { name: `Promote version ${version}` })
      .click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('status', { name: 'Gate result' })).toHaveText(
      'The gate permits it.',
    );
    await expect(dialog.getByRole('table', { name: 'Paired comparison' })).toContainText('12/12');
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
  });
});

// The refusal is provoked.
test.describe('a worse version', () => {
  test.use({ allowedErrors: /status of 422/ });
  test('is refused with its numbers, may be forced with a reason, and is rolled back with one click', async ({
    page,
  }) => {
    await page.goto(`${base}?version=${harsh}`);
    await expectListening(page);
    await panel(page).getByRole('button', { name: 'Estimate' }).click();
    await panel(page).getByRole('button', { name: 'Run trial on 24' }).click();
    await expect(panel(page)).toContainText('Done: 24 of 24 judged.', { timeout: 20_000 });
    const list = page.getByRole('list', { name: 'Versions' });
    await list.getByRole('button', { name: `Promote version ${harsh}` }).click();
    const dialog = page.getByRole('dialog', { name: `Promote version ${harsh}` });
    await expect(dialog.getByRole('status', { name: 'Gate result' })).toContainText(
      'it is worse than the current option',
    );
    await expect(dialog.getByRole('row', { name: /^False rejections/ })).toContainText(
      /12\/12.*0\/12.*0 against 12.*< 0\.001/,
    );
    await expect(dialog.getByRole('button', { name: 'Promote', exact: true })).toHaveCount(0);
    await dialog.getByRole('checkbox', { name: /Override the gate/ }).check();
    await dialog
      .getByRole('textbox', { name: 'Reason for the override' })
      .fill('The release cannot be read.');
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Promote', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(
      list.getByRole('listitem', { name: `Version ${harsh}`, exact: true }),
    ).toContainText('runs now');

    const wish = page
      .getByRole('list', { name: 'Promotions' })
      .getByRole('listitem', { name: `The release → Version ${harsh}` });
    await expect(wish).toContainText('Gate overridden');
    await expect(wish).toContainText('The release cannot be read.');
    await wish.getByRole('button', { name: 'Roll back' }).click();
    await expect(list.getByRole('listitem', { name: 'Release', exact: true })).toContainText(
      'runs now',
    );
    await expect(wish).toContainText('Rolled back');
    await expectAllForms(page);
  });
});

test('a running trial is cancelled', async ({ page }) => {
  let letGo = (): void => undefined;
  replyGate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  try {
    await page.goto(`${base}?version=${version}`);
    await expectListening(page);
    await panel(page).getByRole('button', { name: 'Estimate' }).click();
    const nextCall = llm.nextCall();
    await panel(page).getByRole('button', { name: 'Run trial on 24' }).click();
    await nextCall;
    await expect(panel(page).getByRole('button', { name: 'Estimate' })).toHaveCount(0);
    await panel(page).getByRole('button', { name: 'Cancel the trial' }).click();
    await expect(panel(page)).toContainText('Cancelled: 0 of 24 judged.');
    await panel(page).getByRole('combobox', { name: 'Trial of' }).click();
    await expect(page.getByRole('option', { name: /done$/ }).first()).toBeVisible();
  } finally {
    letGo();
    replyGate = Promise.resolve();
  }
});
