/**
 * Progress as plain lines, the same on a terminal and in a log: the start of long steps, and the
 * end of each step with its duration in seconds.
 * @typedef {{ step: <T>(name: string, work: () => Promise<T>, note?: string) => Promise<T>, line:
 * (text: string) => void }} Progress
 */

/**
 * @param {(text: string) => void} [write] output for the lines
 * @returns {Progress}
 */
export function createProgress(write = (text) => void process.stdout.write(text)) {
  const line = (/** @type {string} */ text) => write(`${text}\n`);
  return {
    line,
    async step(name, work, note) {
      const begun = performance.now();
      if (note) line(`… ${name} (${note})`);
      const result = await work();
      line(`✓ ${name}, ${seconds(begun)} s`);
      return result;
    },
  };
}

/**
 * @param {number} begun a value of performance.now()
 * @returns {string} seconds since then, with one decimal
 */
export function seconds(begun) {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
