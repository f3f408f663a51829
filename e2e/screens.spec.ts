import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request, verifyCode } from './code-work';
import { ownerState, project, readInstance } from './instance';
import { open, type PageToSee, pages } from './pages';
import { test } from './test';
import { checkedTask, failedTask, judgedTask, verifyTask } from './tasks';
import { sendTurns } from './turns';

const folder = process.env.ASSAY_SCREENS;
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

test.skip(folder === undefined, 'pictures are taken with ASSAY_SCREENS=<folder>');

interface Weather {
  readonly source: object;
  readonly outputs: readonly { readonly model: string; readonly text: string }[];
}

/**
 * Real model output from the shared data, if present: 192 weather texts with the forecast that they
 * were written from.
 */
async function sendWeather(): Promise<void> {
  const file = join(
    process.env.ASSAY_DATA ?? '../shared/data',
    'integrity-quintd-openweather.jsonl',
  );
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return;
  }
  const turns = lines.flatMap((line, row) => {
    const { source, outputs } = JSON.parse(line) as Weather;
    return outputs.map(({ model, text }) => ({
      id: `weather-${row}-${model}`,
      session_id: `weather-${row}`,
      model,
      input: [{ role: 'user', content: 'Write a forecast from this data.' }],
      tools: [{ id: 'forecast', name: 'openweather', arguments: {}, result: source }],
      output: text,
    }));
  });
  for (let at = 0; at < turns.length; at += 48) await sendTurns(turns.slice(at, at + 48));
}

const withWeather: readonly PageToSee[] = [
  ...pages,
  {
    name: 'verdict-task' as 'verdict-large',
    verdict: failedTask.task_description as 'Sensor s-399',
  },
  {
    name: 'verdict-task-inconclusive' as 'verdict-large',
    verdict: judgedTask.task_description as 'Sensor s-399',
  },
  { name: 'verdict-code' as 'verdict-large', verdict: request as 'Sensor s-399' },
  { name: 'verdict-weather' as 'verdict-large', verdict: '°C' as 'Sensor s-399' },
];

test.describe('pictures', () => {
  test.use({ storageState: ownerState, allowedErrors: /status of 404/ });
  test('of every page', async ({ browser }) => {
    test.setTimeout(600_000);
    await sendWeather();
    for (const task of [checkedTask, failedTask, judgedTask]) await verifyTask(task);
    for (const repair of [0, 1]) await verifyCode({ session_id: 'pictures-code', repair });
    await new Promise((resolve) => setTimeout(resolve, 8000));
    for (const { width, height } of sizes) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({
          storageState: ownerState,
          viewport: { width, height },
          colorScheme,
          baseURL: readInstance().webUrl,
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        const shoot = (name: string) =>
          page.screenshot({
            path: join(folder ?? '', `${name}-${width}-${colorScheme}.png`),
            fullPage: width < 500,
          });
        for (const to of withWeather) {
          await open(page, to);
          await page.waitForTimeout(400);
          await shoot(to.name);
        }
        await open(page, { name: 'verdict-failed', verdict: 'web-1 is at 91.4%' });
        await page.keyboard.press('n');
        await page.keyboard.press('Enter');
        await shoot('verdict-followed');
        await page.goto(`/p/${project.slug}`);
        await page.waitForTimeout(300);
        await page.keyboard.press('?');
        await shoot('keys');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+k');
        await shoot('commands');
        await page.goto('/nowhere');
        await shoot('not-found');
        await context.clearCookies();
        await page.goto('/sign-in');
        await shoot('sign-in');
        await context.close();
      }
    }
  });
});
