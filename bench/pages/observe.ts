import type { CDPSession, Page } from '@playwright/test';

/** The cost of one visit of a page; times in milliseconds, sizes in bytes as transferred. */
export interface Visit {
  readonly firstPaintMs: number;
  /**
   * Cumulative layout shift as defined by Web Vitals: the worst window of at most 5 s, with gaps
   * under 1 s.
   */
  readonly shift: number;
  /** Bytes of the scripts that the document itself loads for its first screen. */
  readonly firstScriptBytes: number;
  /** Bytes of all scripts, including those loaded later and prefetched ones. */
  readonly scriptBytes: number;
  readonly requests: number;
}

interface Seen {
  firstPaintMs: number;
  shift: number;
}

/**
 * tsx compiled the code that runs in the page, and its output calls this for every named function.
 */
export const nameFunctions = { content: 'globalThis.__name ??= (named) => named;' };

/** Runs before any script of the page. */
export function watchPage(): void {
  const seen: Seen = { firstPaintMs: Number.NaN, shift: 0 };
  Object.assign(globalThis, { assaySeen: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === 'first-contentful-paint') seen.firstPaintMs = entry.startTime;
  }).observe({ type: 'paint', buffered: true });
  let [from, last, sum] = [-Infinity, -Infinity, 0];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (hadRecentInput) continue;
      if (startTime - last > 1000 || startTime - from > 5000) [from, sum] = [startTime, 0];
      last = startTime;
      sum += value;
      seen.shift = Math.max(seen.shift, sum);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Counts network traffic from now on. */
async function countTraffic(page: Page): Promise<{
  readonly read: () => { bytesOf: ReadonlyMap<string, number>; requests: number };
  readonly stop: () => Promise<void>;
}> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const scripts = new Map<string, string>();
  const bytesOf = new Map<string, number>();
  let requests = 0;
  session.on('Network.requestWillBeSent', ({ type }) => {
    if (type !== 'EventSource' && type !== 'Ping') requests += 1;
  });
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    // A preloaded script has the type of its initiator.
    if (type !== 'Script' && !response.mimeType.includes('javascript')) return;
    scripts.set(requestId, response.url);
    // The response headers, which have arrived by then, do not count.
    bytesOf.set(response.url, (bytesOf.get(response.url) ?? 0) - response.encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = scripts.get(requestId);
    if (url !== undefined) bytesOf.set(url, (bytesOf.get(url) ?? 0) + encodedDataLength);
  });
  return { read: () => ({ bytesOf, requests }), stop: () => session.detach() };
}

/** The URLs of the script elements of a document. */
function scriptsIn(html: string, base: string): ReadonlySet<string> {
  const found = [...html.matchAll(/<script\b[^>]*\ssrc="([^"]+)"/g)];
  return new Set(found.map(([, src = '']) => new URL(src.replaceAll('&amp;', '&'), base).href));
}

/** Opens a page and observes it for a while. `during` is called once it is complete. */
export async function visit(
  page: Page,
  path: string,
  watchMs: number,
  during: () => Promise<void> = async () => {},
): Promise<Visit> {
  const traffic = await countTraffic(page);
  const document = await page.goto(path, { waitUntil: 'load' });
  const named = scriptsIn((await document?.text()) ?? '', page.url());
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(
    () => !Number.isNaN((globalThis as unknown as { assaySeen: Seen }).assaySeen.firstPaintMs),
  );
  await during();
  // No event signals that a page will send no further requests, or that its layout is final, so it
  // is observed for a fixed time.
  await page.waitForTimeout(watchMs);
  const seen = await page.evaluate(() => (globalThis as unknown as { assaySeen: Seen }).assaySeen);
  const { bytesOf, requests } = traffic.read();
  await traffic.stop();
  const sum = (all: Iterable<readonly [string, number]>): number =>
    [...all].reduce((total, [, bytes]) => total + bytes, 0);
  const first = [...bytesOf].filter(([url]) => named.has(url));
  return { ...seen, firstScriptBytes: sum(first), scriptBytes: sum(bytesOf), requests };
}
