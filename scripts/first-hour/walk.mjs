// Runs the steps. Each step follows the quickstart with the same tools, and returns a short
// description of its result.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureChromium } from '../chromium.mjs';
import { root } from '../data-dir.mjs';
import { Failure } from '../failure.mjs';
import { createNewInstance } from './new-instance.mjs';
import { exampleOf, readExamples } from './read-examples.mjs';
import { startScriptedModels } from './scripted-models.mjs';
import {
  claimOwner,
  createKey,
  readVerdict,
  sendFirstTrace,
  overruleVerdict,
  checkSetupDone,
} from './own-project.mjs';
import { fillDemo, moveThreshold, removeDemo } from './demo-project.mjs';
import { callGateway, connectModel, editPrompt, judgeTask, steerAnswer } from './with-a-model.mjs';
import { createStopwatch, describeTimes } from './stopwatch.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/**
 * @typedef {object} Walk the state that the steps share
 * @property {Page} page
 * @property {import('./new-instance.mjs').NewInstance} instance
 * @property {(part: string) => import('./read-examples.mjs').Example} example finds an example of
 * the quickstart by a part of its command
 * @property {string} key of the first project; empty until it is created
 */

/**
 * @param {{ folder: string, pictures: boolean, line: (text: string) => void }} options @returns
 * {Promise<void>}
 */
export async function walkFirstHour({ folder, pictures, line }) {
  const browserAt = await ensureChromium(join(folder, 'chromium.log'));
  if ('missing' in browserAt) throw new Failure(browserAt.missing);
  const examples = readExamples(readFileSync(join(root, 'docs', 'start', 'quickstart.md'), 'utf8'));
  const stopwatch = createStopwatch({ folder, pictures, line });
  const instance = await createNewInstance();
  /** @type {(() => Promise<unknown>)[]} */
  const undos = [() => instance.stop()];
  const end = async () => {
    for (let undo = undos.pop(); undo; undo = undos.pop()) await undo();
  };
  const onSignal = () => void end().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, onSignal);
  try {
    const models = await startScriptedModels({ port: instance.modelPort });
    undos.push(() => models.close());
    let ownerLink = '';
    await stopwatch.step('Start', async () => {
      ownerLink = await instance.start();
      return 'npm start printed where it serves, and the owner’s link';
    });
    const browser = await chromium.launch({
      executablePath: browserAt.path,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    undos.push(() => browser.close());
    const page = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(60_000);
    stopwatch.watch(page);
    /** @type {Walk} */
    const walk = { page, instance, key: '', example: (part) => exampleOf(examples, part) };
    await walkSteps(walk, stopwatch, { ownerLink, modelUrl: models.baseUrl });
    await stopwatch.step('Stop', async () => {
      await end();
      return 'Ctrl+C ended everything';
    });
    for (const text of ['', ...describeTimes(stopwatch.timed)]) line(text);
  } catch (error) {
    // The first error is the one to report.
    await end().catch(() => undefined);
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, onSignal);
  }
}

/**
 * @param {Walk} walk @param {import('./stopwatch.mjs').Stopwatch} stopwatch @param {{ ownerLink:
 * string, modelUrl: string }} from
 */
async function walkSteps(walk, { step }, { ownerLink, modelUrl }) {
  await step('Owner and first project', () => claimOwner(walk, ownerLink));
  await step('Key', () => createKey(walk));
  await step('First trace', () => sendFirstTrace(walk));
  await step('Verdict read', () => readVerdict(walk));
  await step('First override', () => overruleVerdict(walk));
  await step('Demo', () => fillDemo(walk));
  await step('First threshold moved', () => moveThreshold(walk));
  await step('First prompt edited', () => editPrompt(walk));
  await step('Model connected', () => connectModel(walk, modelUrl));
  await step('Task judged', () => judgeTask(walk));
  await step('First gateway call', () => callGateway(walk));
  await step('Answer steered', () => steerAnswer(walk));
  await step('Demo removed', () => removeDemo(walk));
  await step('Set-up looked at', () => checkSetupDone(walk));
}
