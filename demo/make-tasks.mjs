// Tasks of the ops assistant: short reports with criteria, and faults of known kinds in a known
// share of them. The work is scripted, as the name of its model shows.
import { createRandom } from './random.mjs';
import { diskRows, readMachine } from './readings.mjs';

/** @typedef {import('./readings.mjs').Machine} Machine */

/**
 * `missing_section`: found by a check, without a judge; `wrong_figure`: a figure that the readings
 * do not have; `no_owner`: no one is named for the next step; `no_date`: no day is named, which
 * alone makes it partial.
 * @typedef {'missing_section' | 'wrong_figure' | 'no_owner' | 'no_date'} TaskFault
 */
/** @type {readonly TaskFault[]} */
export const taskFaults = ['missing_section', 'wrong_figure', 'no_owner', 'no_date'];

/**
 * @typedef {object} DemoTask a task as `POST /v1/verify/task` takes it, with the fault planted in
 *   it
 * @property {string} id
 * @property {TaskFault | null} fault null if the report is correct
 * @property {Record<string, unknown>} body
 * @property {Date | null} endedAt null means now
 */

export const criteria = /** @type {const} */ ({
  figures: 'Every figure stands in the readings',
  owner: 'Names who does the next step',
  date: 'Says by which day',
});
const owners = ['Ada', 'Ben', 'Cleo'];
const days = ['Monday', 'Wednesday', 'Friday'];
const steps = ['deletes the old logs', 'moves the backups away', 'orders a larger disk'];

/**
 * @param {{ run: string, count: number, seed: number, faultRate: number, machine?: Machine,
 * calendar?: import('./calendar.mjs').Calendar | null }} options
 * @returns {DemoTask[]}
 */
export function makeTasks({
  run,
  count,
  seed,
  faultRate,
  machine = readMachine(),
  calendar = null,
}) {
  const moments = calendar?.momentsOf(count, 12) ?? [];
  return Array.from({ length: count }, (_, n) => {
    const random = createRandom(Math.imul(seed + 1, 0x9e3779b1) + Math.imul(n, 0x85ebca6b));
    const fault = random.chance(faultRate) ? random.pick(taskFaults) : null;
    const rows = diskRows(random, machine);
    const row = random.pick(rows);
    // 98 and more is never drawn for a disk; this machine's own may be that full, but not exactly
    // this value.
    const full = fault === 'wrong_figure' ? random.between(981, 998, 2) : row.disk_pct;
    const id = `demo-${run}-task-${String(n + 1).padStart(4, '0')}`;
    const who = fault === 'no_owner' ? 'Somebody' : random.pick(owners);
    const step = `${who} ${random.pick(steps)}${fault === 'no_date' ? '' : ` by ${random.pick(days)}`}.`;
    const finding = `The disk of ${row.host} is ${full}% full, with ${row.free_gib} GiB free.`;
    const endedAt = moments[n] ?? null;
    return {
      id,
      fault,
      endedAt,
      body: {
        id,
        ...(endedAt !== null && { ended_at: endedAt.toISOString() }),
        mission_id: `demo-${run}-${Math.floor(n / 10) + 1}`,
        task_id: `report-${n + 1}`,
        task_description: `Report on the disk of ${row.host}, and on what to do next.`,
        success_criteria: [
          { check: 'required_sections', value: ['Finding', 'Next step'] },
          { text: criteria.figures, weight: 2, must_pass: true },
          { text: criteria.owner, must_pass: true },
          { text: criteria.date, weight: 3 },
        ],
        task_output: `# Finding\n${finding}\n\n${fault === 'missing_section' ? '' : '# Next step\n'}${step}`,
        shared_context: rows,
        executor_model: random.chance(0.5) ? 'scripted/ops-large' : 'scripted/ops-small',
        cost_usd: 0.4,
      },
    };
  });
}
