// The browser part of `npm run pictures`: opens every page at three widths, light and dark, and
// writes screenshots.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { pagesToTake } from './pages.mjs';

/** @typedef {import('./pages.mjs').PageToTake} PageToTake */
/** @typedef {import('@playwright/test').Page} Page */

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** Maximum size of a picture in the guide; its quality is reduced until it fits. */
const guideBytes = 80_000;

/**
 * @typedef {object} ToTake
 * @property {string} executablePath of the browser
 * @property {string} url of the console
 * @property {string} project its slug
 * @property {{ email: string, password: string }} owner
 * @property {ReadonlySet<string> | null} only names of the pages to take; null means all
 * @property {string} folder for all pictures
 * @property {string | null} guideFolder for those of the guide
 * @property {(line: string) => void} print
 *
 * @param {ToTake} input
 * @returns {Promise<{ taken: number, missing: string[] }>} missing: pages without data
 */
export async function takePictures({
  executablePath,
  url,
  project,
  owner,
  only,
  folder,
  guideFolder,
  print,
}) {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  /** @type {Set<string>} */
  const missing = new Set();
  let taken = 0;
  try {
    const storageState = await signIn(browser, url, owner);
    for (const viewport of sizes) {
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        const context = await browser.newContext({
          baseURL: url,
          storageState,
          viewport,
          colorScheme,
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        for (const to of pagesToTake) {
          if (only !== null && !only.has(to.name)) continue;
          // A signed-in user is redirected from the entry pages.
          if (to.route.startsWith('(entry)')) await context.clearCookies();
          if (!(await open(page, project, to))) {
            missing.add(to.name);
            continue;
          }
          await page.screenshot({
            path: join(folder, `${to.name}-${viewport.width}-${colorScheme}.png`),
            fullPage: viewport.width < 1440,
          });
          taken += 1;
          if (to.guide && guideFolder && viewport.width === 1440 && colorScheme === 'light') {
            await keepForGuide(
              page,
              await page.screenshot(),
              join(guideFolder, `${to.guide}.webp`),
            );
          }
        }
        print(`${viewport.width} ${colorScheme}: done`);
        await context.close();
      }
    }
  } finally {
    await browser.close();
  }
  return { taken, missing: [...missing] };
}

/**
 * @param {import('@playwright/test').Browser} browser @param {string} url @param {{ email: string,
 * password: string }} owner
 */
async function signIn(browser, url, { email, password }) {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((at) => !at.pathname.startsWith('/sign-in'));
  const state = await context.storageState();
  await context.close();
  return state;
}

/**
 * Opens the page and waits until it is idle.
 * @param {Page} page @param {string} project @param {PageToTake} to
 * @returns {Promise<boolean>} false if there is nothing to open
 */
async function open(page, project, { path, first }) {
  const base = `/p/${project}`;
  if (first) {
    await settle(page, `${base}${first.on}`);
    const link = page.locator(`main a[href*="${base}${first.link}"]`).first();
    const href = (await link.count()) > 0 ? await link.getAttribute('href') : null;
    if (href === null) return false;
    await settle(page, href);
  } else
    await settle(
      page,
      path?.startsWith('//') ? path.slice(1) : `${base}${path === '/' ? '' : path}`,
    );
  return true;
}

/** @param {Page} page @param {string} path */
async function settle(page, path) {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Streams stay open, so the network is never idle: the page is complete once it has no
  // placeholders, knows its ages, and nothing has changed for a moment.
  const isThere = () =>
    document.querySelector('[aria-busy="true"], [data-skeleton], time .invisible') === null &&
    !document.body.innerText.includes('Connecting');
  await page.waitForFunction(isThere, undefined, { timeout: 10_000 }).catch(() => {});
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => {
      const restart = () => setTimeout(resolve, 300, undefined);
      let timer = restart();
      const again = new MutationObserver(() => {
        clearTimeout(timer);
        timer = restart();
      });
      again.observe(document.body, { subtree: true, childList: true, characterData: true });
      setTimeout(resolve, 3000, undefined);
    });
  });
}

/**
 * Writes it as WebP, encoded by the browser, 1,200 pixels wide.
 * @param {Page} page @param {Buffer} png @param {string} path
 */
async function keepForGuide(page, png, path) {
  const webp = await page.evaluate(
    async ({ base64, most }) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const scale = 1200 / image.width;
      const canvas = new OffscreenCanvas(1200, Math.round(image.height * scale));
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      for (const quality of [0.85, 0.7, 0.55, 0.4]) {
        const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
        if (blob.size > most && quality > 0.4) continue;
        const buffer = new Uint8Array(await blob.arrayBuffer());
        return btoa(Array.from(buffer, (byte) => String.fromCharCode(byte)).join(''));
      }
      return '';
    },
    { base64: png.toString('base64'), most: guideBytes },
  );
  writeFileSync(path, Buffer.from(webp, 'base64'));
}
