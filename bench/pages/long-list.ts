import type { Page } from '@playwright/test';
import { nameFunctions } from './observe';

/** The behaviour of a long list during scrolling. */
export interface ScrolledList {
  readonly rows: number;
  /**
   * The longest time for which a visible position of the list had no row, and the longest time
   * between two frames.
   */
  readonly blankMs: number;
  readonly frameMs: number;
  /** The heap of the page's scripts after garbage collection. */
  readonly heapBytes: number;
  readonly elements: number;
}

interface Sampled {
  blankMs: number;
  frameMs: number;
  stop: boolean;
}

/**
 * Samples each frame at five heights of the window just before it is painted: at each height there
 * must be a row, or the content above or below the list.
 */
function sampleFrames(): void {
  const sampled: Sampled = { blankMs: 0, frameMs: 0, stop: false };
  Object.assign(globalThis, { assaySampled: sampled });
  let [blankSince, last] = [Number.NaN, performance.now()];
  const isEmpty = (part: number): boolean => {
    const at = document.elementFromPoint(
      window.innerWidth * 0.6,
      Math.round(window.innerHeight * part),
    );
    return at === null || at.closest('tr[aria-hidden="true"]') !== null;
  };
  const sample = (): void => {
    const now = performance.now();
    sampled.frameMs = Math.max(sampled.frameMs, now - last);
    last = now;
    if ([0.1, 0.3, 0.5, 0.7, 0.9].some(isEmpty)) {
      if (Number.isNaN(blankSince)) blankSince = now;
      sampled.blankMs = Math.max(sampled.blankMs, now - blankSince + 16);
    } else blankSince = Number.NaN;
    if (!sampled.stop) requestAnimationFrame(sample);
  };
  requestAnimationFrame(sample);
}

const shown = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Number(/([\d,]+) shown/.exec(document.body.innerText)?.[1]?.replaceAll(',', '') ?? 0),
  );

/**
 * Scrolls a list by wheel and then by the End key to its very end, all the way back by wheel, and
 * to its middle.
 */
export async function scrollList(page: Page, path: string, rows: number): Promise<ScrolledList> {
  await page.addInitScript(nameFunctions);
  await page.goto(path);
  const table = page.getByRole('table', { name: 'Verdicts' });
  await table.waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.mouse.move(700, 600);
  await page.evaluate(sampleFrames);
  for (let turn = 0; turn < 150; turn += 1) {
    await page.mouse.wheel(0, 1200);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const until = Date.now() + 300_000;
  while ((await shown(page)) < rows && Date.now() < until) {
    await page.keyboard.press('End');
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  for (let turn = 0; turn < 150; turn += 1) {
    await page.mouse.wheel(0, -3000);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.keyboard.press('Home');
  for (let turn = 0; turn < 20; turn += 1)
    await page.keyboard.press(turn % 2 === 0 ? 'End' : 'Home');
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const sampled = await page.evaluate(() => {
    const found = (globalThis as unknown as { assaySampled: Sampled }).assaySampled;
    found.stop = true;
    return found;
  });
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  await session.detach();
  return {
    rows: await shown(page),
    blankMs: Math.round(sampled.blankMs),
    frameMs: Math.round(sampled.frameMs),
    heapBytes: usedSize,
    elements,
  };
}
