// Times the steps and reports the one that failed.
import { join } from 'node:path';
import { Failure } from '../failure.mjs';
import { seconds } from '../progress.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ readonly name: string, readonly seconds: string, readonly seen: string }} Timed */

/**
 * @typedef {object} Stopwatch
 * @property {(name: string, work: () => Promise<string>) => Promise<void>} step work returns a
 * short description of its result
 * @property {readonly Timed[]} timed
 * @property {(page: Page) => void} watch sets the page for pictures
 */

/**
 * @param {{ folder: string, pictures: boolean, line: (text: string) => void }} options folder: for
 * the pictures
 * @returns {Stopwatch}
 */
export function createStopwatch({ folder, pictures, line }) {
  /** @type {Timed[]} */
  const timed = [];
  /** @type {Page | null} */
  let page = null;
  /** @param {string} name @returns {Promise<string | null>} null if no page is open */
  const picture = async (name) => {
    if (page === null || page.isClosed()) return null;
    const path = join(
      folder,
      `${String(timed.length).padStart(2, '0')}-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.png`,
    );
    await page.screenshot({ path, fullPage: true });
    return path;
  };
  return {
    timed,
    watch(next) {
      page = next;
    },
    async step(name, work) {
      const begun = performance.now();
      try {
        const seen = await work();
        timed.push({ name, seconds: seconds(begun), seen });
        line(`✓ ${name}, ${seconds(begun)} s: ${seen}`);
      } catch (error) {
        const path = await picture(`failed ${name}`).catch(() => null);
        const reason = error instanceof Error ? error.message : String(error);
        throw new Failure(`${name}: ${reason}${path === null ? '' : ` (picture: ${path})`}`);
      }
      if (pictures) await picture(name);
    },
  };
}

/** @param {readonly Timed[]} timed @returns {string[]} lines of a table, with the total */
export function describeTimes(timed) {
  const sum = timed.reduce((total, each) => total + Number(each.seconds), 0).toFixed(1);
  const rows = [
    { name: 'Step', seconds: 'Seconds', seen: 'Seen' },
    ...timed,
    { name: 'Together', seconds: sum, seen: '' },
  ];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map((row) =>
    `${row.name.padEnd(width)}  ${row.seconds.padStart(7)}  ${row.seen}`.trimEnd(),
  );
}
