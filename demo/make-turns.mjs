// The turns of an ops assistant, with faults of known kinds in a known share of its answers. The
// model's answers are scripted, as every turn shows (tags, model name, metadata).
import { createRandom } from './random.mjs';
import { costRows, diskRows, loadRows, memoryRows, readMachine, requestRows } from './readings.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./readings.mjs').Row} Row */
/** @typedef {import('./readings.mjs').Machine} Machine */

/**
 * `invented`: a figure without a source; `changed_digit`: one digit of a figure is changed;
 * `wrong_place`: the figure of another row; `wrong_rounding`: rounded to the wrong side.
 * @typedef {'invented' | 'changed_digit' | 'wrong_place' | 'wrong_rounding'} Fault
 */
/** @type {readonly Fault[]} */
export const faults = ['invented', 'changed_digit', 'wrong_place', 'wrong_rounding'];

/**
 * @typedef {object} Figure one that the answer states
 * @property {number} value as its source has it
 * @property {readonly number[]} others the same column of other rows
 */
/**
 * @typedef {object} Scene one question with the results of the tools for it
 * @property {string} question
 * @property {string} tool
 * @property {Row[]} rows
 * @property {Figure[]} figures
 * @property {(texts: readonly string[]) => string} say the answer with its figures as texts
 */
/**
 * @typedef {object} DemoTurn a turn as `POST /v1/turns` takes it, with the fault planted in it
 * @property {string} id
 * @property {Fault | null} fault null if every figure is right
 * @property {Record<string, unknown>} turn
 * @property {Date | null} endedAt null means now
 */

const questionKinds = /** @type {const} */ ([
  ['disk', diskRows, 'host', ['disk_pct', 'free_gib']],
  ['memory', memoryRows, 'host', ['used_gib', 'total_gib']],
  ['load', loadRows, 'host', ['load_5m', 'up_hours']],
  ['requests', requestRows, 'service', ['requests', 'failed', 'p95_ms']],
  ['cost', costRows, 'service', ['usd_month']],
]);

/**
 * @type {Readonly<Record<typeof questionKinds[number][0], { question: (name: string) => string,
 * say: (name: string, texts: readonly string[]) => string }>>}
 */
const words = {
  disk: {
    question: (name) => `How full is the disk of ${name}?`,
    say: (name, [share, free]) => `The disk of ${name} is ${share}% full, with ${free} GiB free.`,
  },
  memory: {
    question: (name) => `How much memory does ${name} use?`,
    say: (name, [used, total]) => `${name} uses ${used} GiB of its ${total} GiB of memory.`,
  },
  load: {
    question: (name) => `Is ${name} busy, and since when does it run?`,
    say: (name, [load, up]) => `${name} has a load of ${load}, and has been up for ${up} hours.`,
  },
  requests: {
    question: (name) => `How did ${name} do today?`,
    say: (name, [all, failed, p95]) =>
      `${name} served ${all} requests, ${failed} of them failed; the slowest took ${p95} ms and more.`,
  },
  cost: {
    question: (name) => `What does ${name} cost?`,
    say: (name, [cost]) => `${name} costs $${cost} a month.`,
  },
};

/** @param {Random} random @param {Machine} machine @returns {Scene} */
function makeScene(random, machine) {
  const [tool, makeRows, key, columns] = random.pick(questionKinds);
  const rows = makeRows(random, machine);
  const row = random.pick(rows);
  const name = String(row[key]);
  const { question, say } = words[tool];
  return {
    question: question(name),
    tool,
    rows,
    figures: columns.map((column) => ({
      value: Number(row[column]),
      others: rows.filter((each) => each !== row).map((each) => Number(each[column])),
    })),
    say: (texts) => say(name, texts),
  };
}

/**
 * The answer to the question about a row, with the figures of the row.
 * @param {string} tool @param {Readonly<Record<string, unknown>>} row @param {string} text with the
 * question
 * @returns {string | null} null if the text does not ask about the row
 */
export function describeRow(tool, row, text) {
  const known = questionKinds.find(([name]) => name === tool);
  if (known === undefined) return null;
  const [name, , key, columns] = known;
  const { question, say } = words[name];
  const of = String(row[key]);
  return text.includes(question(of))
    ? say(
        of,
        columns.map((column) => show(Number(row[column]))),
      )
    : null;
}

/** @param {number} value @returns {number} */
const decimalsOf = (value) => String(value).split('.')[1]?.length ?? 0;

/** @param {number} value @param {number} [decimals] @returns {string} */
const show = (value, decimals = decimalsOf(value)) =>
  value.toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });

/**
 * Whether the value is a correct rounding of any number in the rows: a planted figure must not be.
 * @param {readonly Row[]} rows
 * @param {number} value
 */
function isShownBy(rows, value) {
  const half = 0.5 * 10 ** -decimalsOf(value) + 1e-9;
  return rows.some((row) =>
    Object.values(row).some((each) => typeof each === 'number' && Math.abs(each - value) <= half),
  );
}

/** @param {Random} random @param {number} value @returns {number} */
function changeDigit(random, value) {
  const digits = value.toFixed(decimalsOf(value)).split('');
  const places = digits.flatMap((digit, at) => (digit === '.' ? [] : [at]));
  const at = random.pick(places);
  digits[at] = String((Number(digits[at]) + 1 + Math.floor(random.next() * 9)) % 10);
  return Number(digits.join(''));
}

/**
 * A wrong value for the figure, or null if this kind of fault is impossible for it.
 * @param {Random} random
 * @param {Fault} fault
 * @param {Figure} figure
 * @param {readonly Row[]} rows
 * @returns {number | null}
 */
function spoil(random, fault, { value, others }, rows) {
  if (fault === 'wrong_place') return others.find((other) => other !== value) ?? null;
  if (fault === 'changed_digit') {
    for (let attempt = 0; attempt < 20; attempt++) {
      const changed = changeDigit(random, value);
      if (!isShownBy(rows, changed)) return changed;
    }
    return null;
  }
  if (decimalsOf(value) === 0) return null;
  const wrong = value - Math.floor(value) < 0.5 ? Math.ceil(value) : Math.floor(value);
  return isShownBy(rows, wrong) ? null : wrong;
}

/**
 * The answer, with the fault where it could be planted.
 * @param {Random} random
 * @param {Scene} scene
 * @param {Fault | null} fault
 * @returns {{ output: string, fault: Fault | null }}
 */
function answer(random, scene, fault) {
  const right = scene.figures.map(({ value }) => {
    // A tie could be rounded to either side, so it is shown exactly.
    const mayRound = decimalsOf(value) > 0 && value > 10 && Math.abs((value % 1) - 0.5) > 0.01;
    return mayRound && random.chance(0.25) ? show(Math.round(value)) : show(value);
  });
  if (fault === null) return { output: scene.say(right), fault };
  if (fault === 'invented') {
    let value = random.between(3, 89, 1);
    while (isShownBy(scene.rows, value)) value = random.between(3, 89, 1);
    return { output: `${scene.say(right)} A week ago it was ${show(value, 1)}% better.`, fault };
  }
  for (const [at, figure] of scene.figures.entries()) {
    const wrong = spoil(random, fault, figure, scene.rows);
    if (wrong !== null) return { output: scene.say(right.with(at, show(wrong))), fault };
  }
  return answer(random, scene, 'invented');
}

export const smallModel = 'scripted/ops-small';
/**
 * The error rate of each model relative to both together, and of the small one after its
 * replacement by a worse one.
 */
const share = { large: 0.5, small: 1.5, worse: 3 };

/**
 * The seed alone decides which turns get a fault: each turn has its own draws, independent of this
 * machine's readings.
 * @param {{ run: string, count: number, seed: number, faultRate: number, now: Date, machine?:
 * Machine, calendar?: import('./calendar.mjs').Calendar | null }} options
 * without a calendar all of them have the current time
 * @returns {DemoTurn[]}
 */
export function makeTurns({
  run,
  count,
  seed,
  faultRate,
  now,
  machine = readMachine(),
  calendar = null,
}) {
  const moments = calendar?.momentsOf(count, 11) ?? [];
  return Array.from({ length: count }, (_, n) => {
    const random = createRandom(Math.imul(seed, 0x9e3779b1) + Math.imul(n, 0x85ebca6b));
    const careful = random.chance(0.5);
    const endedAt = moments[n] ?? null;
    const isWorse = calendar !== null && endedAt !== null && endedAt >= calendar.changedAt;
    const errs = careful ? share.large : isWorse ? share.worse : share.small;
    const plannedFault = random.chance(faultRate * errs) ? random.pick(faults) : null;
    const scene = makeScene(random, machine);
    const { output, fault } = answer(random, scene, plannedFault);
    const id = `demo-${run}-${String(n + 1).padStart(4, '0')}`;
    const turn = {
      id,
      session_id: `demo-${run}-${Math.floor(n / 20) + 1}`,
      source: 'demo',
      model: careful ? 'scripted/ops-large' : smallModel,
      started_at: (endedAt === null ? now : new Date(endedAt.getTime() - 2_400)).toISOString(),
      ...(endedAt !== null && { ended_at: endedAt.toISOString() }),
      input: [{ role: 'user', content: scene.question }],
      tools: [{ id: 'tc1', name: scene.tool, arguments: {}, result: { rows: scene.rows } }],
      output,
      tags: ['demo', 'simulated'],
      metadata: { simulated: true, planted: fault ?? 'none' },
    };
    return { id, fault, turn, endedAt };
  });
}
