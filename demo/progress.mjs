// Progress of the demo: count, rate and time left, in one line that is overwritten on a terminal,
// and in occasional lines otherwise.

const everyMs = { terminal: 200, log: 10_000 };

/**
 * @typedef {object} Meter of one step
 * @property {(more?: number) => void} add this number of items is done
 */
/**
 * @typedef {(name: string, of: number) => Meter} StartMeter a step ends when the next one starts
 */

/**
 * @param {{ write: (text: string) => void, isTerminal: boolean, now?: () => number }} options
 * @returns {StartMeter}
 */
export function createMeters({ write, isTerminal, now = () => performance.now() }) {
  return (name, of) => {
    const begun = now();
    let done = 0;
    let printedAt = isTerminal ? Number.NEGATIVE_INFINITY : begun;
    return {
      add(more = 1) {
        done += more;
        const at = now();
        const isLast = done >= of;
        if (!isLast && at - printedAt < (isTerminal ? everyMs.terminal : everyMs.log)) return;
        printedAt = at;
        const text = describe(name, done, of, (at - begun) / 1000);
        write(isTerminal ? `\r\u001b[2K  ${text}${isLast ? '\n' : ''}` : `  ${text}\n`);
      },
    };
  };
}

/**
 * @param {string} name @param {number} done @param {number} of @param {number} seconds since the
 * step began @returns {string}
 */
export function describe(name, done, of, seconds) {
  const rate = seconds > 0 ? done / seconds : 0;
  if (done >= of) return `${name}: ${done} in ${seconds.toFixed(1)} s`;
  const leftText = rate > 0 ? `, about ${Math.ceil((of - done) / rate)} s left` : '';
  return `${name}: ${done} of ${of}, ${rate.toFixed(rate < 10 ? 1 : 0)} a second${leftText}`;
}

/** A meter without output. @type {StartMeter} */
export const noMeters = () => ({ add: () => undefined });
