import type { Page } from '@playwright/test';
import superjson from 'superjson';
import { type ScriptedLlm, startScriptedLlm } from '../testing/scripted-llm';
import { createAssay, injectFeedback } from '../sdk/client';
import { ownerState, project, readInstance, readKey } from './instance';
import {
  faultyPlan,
  hopefulAnswer,
  planCall,
  planPrompt,
  scriptPlanner,
  unsureOutput,
} from './planner';
import { verifyTask } from './tasks';
import { expect, expectAllFormsOf, test } from './test';

test.use({ storageState: ownerState });
test.setTimeout(180_000);

const base = `/p/${project.slug}`;
const executor = 'planner-house:llama3:8b';
let llm: ScriptedLlm;

test.beforeAll(async () => {
  llm = await startScriptedLlm({ port: readInstance().llmPort });
});

test.afterAll(() => llm.close());

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Saves the provider as the provider page does. */
async function setProvider(page: Page, action: 'put' | 'delete'): Promise<void> {
  const { webUrl } = readInstance();
  const input = { project: project.slug, name: 'planner-house' };
  const provider = {
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    api_key: 'sk-e2e-planner',
    models: ['llama3:8b'],
  };
  const data = superjson.serialize(action === 'put' ? { ...input, ...provider } : input);
  const response = await page.request.post(`${webUrl}/api/trpc/providers.${action}`, {
    data,
    headers: { origin: webUrl },
  });
  expect(response.status(), await response.text()).toBe(200);
}

/** Requests a plan from the provider, like any planner. */
async function plan(prompt: string): Promise<unknown> {
  const response = await fetch(`${llm.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'llama3:8b', messages: [{ role: 'user', content: prompt }] }),
  });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return JSON.parse(choices[0]?.message.content ?? 'null') as unknown;
}

async function runLoop(overall: readonly number[], traceId: string) {
  const script = scriptPlanner(traceId, overall);
  llm.answerWith((call) => script.answer(call));
  const assay = createAssay({ url: readInstance().edgeUrl, key: readKey(), flushOnExit: false });
  const result = await assay.checkpoint('decomposition', {
    traceId,
    generate: ({ feedback }) => plan(injectFeedback(planPrompt, feedback)),
    body: (decomposition) => ({ ...planCall(decomposition), executor_model: executor }),
  });
  await assay.close();
  return {
    ...result,
    prompts: script.prompts,
    verdicts: result.attempts.map(({ verification }) => verification?.verdict),
  };
}

async function runBoth(page: Page, again: string) {
  await setProvider(page, 'put');
  try {
    return [
      await runLoop([0.6, 0.65, 0.6], `e2e-loop-failed${again}`),
      await runLoop([0.6, 0.65, 0.9], `e2e-loop-passed${again}`),
    ] as const;
  } finally {
    // Other journeys need a project without a provider, whether or not this one passes.
    await setProvider(page, 'delete');
  }
}

test('SOAR-6 SOAR-7 SOAR-12 X-2 three attempts through the SDK: RETRY, RETRY, FAIL and RETRY, RETRY, PASS', async ({
  page,
}) => {
  // A retry needs its own pipelines: verdicts under the ids of the first run are kept.
  const again = `${test.info().retry || ''}`;
  const [failed, passed] = await runBoth(page, again);
  expect(failed).toMatchObject({
    verdicts: ['RETRY', 'RETRY', 'FAIL'],
    state: 'failed',
    accepted: false,
  });
  expect(failed.warning).toContain('after 2 retries');
  expect(passed).toMatchObject({
    verdicts: ['RETRY', 'RETRY', 'PASS'],
    state: 'passed',
    accepted: true,
  });

  for (const { prompts } of [failed, passed]) {
    const [first = '', second = '', third = ''] = prompts;
    expect(prompts).toHaveLength(3);
    expect(first).not.toContain('PREVIOUS ATTEMPT FEEDBACK');
    expect(second).toContain('PREVIOUS ATTEMPT FEEDBACK:');
    expect(second).toContain('No subgoal checks the copy');
    expect(second).not.toMatch(/example of a good decomposition/i);
    expect(third).toContain('PREVIOUS ATTEMPT FEEDBACK:');
    expect(third).toMatch(/example of a good decomposition/i);
  }

  await test.step('each attempt has its page, with the mark of a plan that its own model judged', async () => {
    for (const [at, attempt] of failed.attempts.entries()) {
      await page.goto(`${base}/verdicts/${attempt.verification?.id}`);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(
        at === 2 ? 'Failed' : 'RETRY',
      );
      await expect(region(page, 'Decomposition')).toContainText(
        `attempt ${at + 1} <b>of three</b>`,
      );
      await expect(region(page, 'Evidence').getByText('self-verified')).toBeVisible();
      await expect(region(page, 'Details')).toContainText(`${at} of 2 used`);
    }
    await expect(region(page, 'Evidence')).toContainText('after 2 retries');
  });

  await test.step('the pipeline shows the three attempts', async () => {
    await page.getByRole('link', { name: 'its pipeline' }).click();
    await expect(page).toHaveURL(new RegExp(`${base}/checkpoints/e2e-loop-failed${again}$`));
    for (const { verification } of failed.attempts) {
      await expect(page.locator(`a[href$="/verdicts/${verification?.id}"]`).first()).toBeVisible();
    }
  });
});

test('SOAR-3 SOAR-4 SOAR-14 a decomposition: scores with bands, stated and computed, findings at their subgoals', async ({
  page,
}) => {
  const { id } = await verifyTask(faultyPlan, 'decomposition');
  await page.goto(`${base}/verdicts/${id}`);
  const evidence = region(page, 'Evidence');
  await expect(evidence.getByRole('list', { name: 'Scores' }).getByRole('listitem')).toHaveText([
    /Completeness weight 0.4thin 0.55/,
    /Consistency weight 0.2thin 0.5/,
    /Groundedness weight 0.2full 0.9/,
    /Routability weight 0.2poor 0.3/,
  ]);
  await expect(evidence).toContainText('0.56, computed from the four');
  await expect(evidence).toContainText('0.9, PASS, by the judge: recorded, not counted');
  const subgoals = region(page, 'Decomposition').getByRole('listitem');
  await expect(subgoals.filter({ hasText: 'Say what was lost' })).toContainText('oracle');
  await expect(subgoals.filter({ hasText: 'Say what was lost' })).toContainText(
    /none of those that there are/,
  );
  await expect(subgoals.filter({ hasText: 'Run the tests' })).toContainText(
    /may not work in the environment/,
  );
  await expect(evidence.getByRole('list', { name: 'Suggestions' })).toContainText('announcement');
  await expect(page.getByRole('main').locator('img')).toHaveCount(0);
  await expectAllFormsOf(page, `${base}/verdicts/${id}`);
});

test('SOAR-16 SOAR-18 an output: format errors, confidence, next step', async ({ page }) => {
  const { id } = await verifyTask(unsureOutput, 'agent-output');
  await page.goto(`${base}/verdicts/${id}`);
  const evidence = region(page, 'Evidence');
  await expect(evidence.getByRole('list', { name: 'Errors of form' })).toContainText(
    'tools_used[1]',
  );
  await expect(evidence).toContainText('Call another agent: tester');
  await expect(region(page, 'Request')).toContainText('critical: the request fails with it');
  await expect(region(page, 'Output')).toContainText('<b>Done</b>');
  await expectAllFormsOf(page, `${base}/verdicts/${id}`);
});

test('SOAR-21 SOAR-22 a synthesis: claims by mark and word, their support, and the substitute', async ({
  page,
}) => {
  const { id } = await verifyTask(hopefulAnswer, 'synthesis');
  await page.goto(`${base}/verdicts/${id}`);
  const claims = region(page, 'Evidence')
    .getByRole('list', { name: 'Claims' })
    .getByRole('listitem');
  await expect(claims).toHaveCount(3);
  await expect(claims.nth(2)).toContainText('unsupported');
  const answer = region(page, 'Answer');
  await expect(answer.getByRole('link', { name: /faster than before.*unsupported/ })).toBeVisible();
  await expect(answer.getByRole('heading', { name: 'Delivered in its place' })).toBeVisible();
  await claims.nth(0).getByRole('link', { name: 'o1' }).click();
  await expect(page).toHaveURL(/#output-0$/);
  await expect(page.getByRole('main').locator('img')).toHaveCount(0);
  await expectAllFormsOf(page, `${base}/verdicts/${id}`);
});
