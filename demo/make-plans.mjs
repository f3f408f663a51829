// Requests to the planner of the ops assistant: its plans, its agents' outputs, its answers, and
// faults of known kinds in half of the requests. The planner, its agents and their outputs are
// scripted, and named so.
import { createRandom } from './random.mjs';
import { diskRows, readMachine } from './readings.mjs';

/**
 * Of the decomposition: `cycle` and `dangling_dependency` are found in its structure;
 * `unknown_agent` (two subgoals go to one that is not there), `missing_capability` (two to one that
 * cannot do them), `contradictory_order` and `thin` (one subgoal without content) are findings, or
 * for a judge. `low_confidence`: an agent is not sure of its output. `invented_claim`: the answer
 * states two things that no output states.
 * @typedef {'cycle' | 'unknown_agent' | 'missing_capability' | 'dangling_dependency' |
 * 'contradictory_order' | 'thin' | 'low_confidence' | 'invented_claim'} PlanFault
 */
/** @type {readonly PlanFault[]} */
export const planFaults = [
  'cycle',
  'unknown_agent',
  'missing_capability',
  'dangling_dependency',
  'contradictory_order',
  'thin',
  'low_confidence',
  'invented_claim',
];

export const planner = 'scripted/planner-1';

/**
 * @typedef {{ id: string, description: string, agent: string, depends_on: string[], requires:
 * string[] }} Subgoal
 */
/** @typedef {{ phase: 'sequential' | 'parallel', subgoals: string[] }} Phase */
/** @typedef {{ goal: string, subgoals: Subgoal[], execution_order: Phase[] }} Decomposition */
/**
 * @typedef {{ agent: string, summary: string, data: unknown, confidence: number, tools_used:
 * string[], metadata: Record<string, unknown> }} Output
 */

/**
 * @typedef {object} DemoPlan
 * @property {string} id also of its pipeline
 * @property {PlanFault | null} fault null if nothing is wrong with any of it
 * @property {'decomposition' | 'agent-output' | 'synthesis' | null} faultyAt the checkpoint that
 * should find it
 * @property {string} query
 * @property {'MEDIUM' | 'COMPLEX'} complexity
 * @property {Decomposition} drafted the first plan of the planner
 * @property {Decomposition} mended the plan after feedback
 * @property {Readonly<Record<string, Output>>} outputs by subgoal: the first output of its agent
 * @property {Readonly<Record<string, Output>>} secondOutputs of a retry
 * @property {string} answer
 * @property {string} mendedAnswer
 * @property {Date | null} begunAt null means now
 */

export const agents = [
  { name: 'metrics-reader', capabilities: ['metrics'], tools: ['node-exporter'] },
  { name: 'file-inspector', capabilities: ['files'], tools: ['du'] },
  { name: 'ops-advisor', capabilities: ['advice'], tools: [] },
];

const folders = ['/var/log', '/var/lib/docker', '/home/build', '/srv/backup'];
const owners = ['Ada', 'Ben', 'Cleo'];
const days = ['Monday', 'Wednesday', 'Friday'];

/**
 * Every second request is correct; the others have the faults in turn, so that sixteen show all of
 * them.
 * @param {{ run: string, count: number, seed: number, machine?: import('./readings.mjs').Machine,
 * calendar?: import('./calendar.mjs').Calendar | null }} options
 * @returns {DemoPlan[]}
 */
export function makePlans({ run, count, seed, machine = readMachine(), calendar = null }) {
  const moments = calendar?.momentsOf(count, 13) ?? [];
  return Array.from({ length: count }, (_, n) => {
    const random = createRandom(Math.imul(seed + 5, 0x9e3779b1) + Math.imul(n, 0x85ebca6b));
    const fault = n % 2 === 0 ? null : (planFaults[(n >> 1) % planFaults.length] ?? null);
    const rows = diskRows(random, machine);
    const row = random.pick(rows);
    const fullest = rows.reduce((fullestRow, each) =>
      Number(each.disk_pct) > Number(fullestRow.disk_pct) ? each : fullestRow,
    );
    const host = String(row.host);
    const folder = random.pick(folders);
    const size = random.between(4, 90, 1);
    const step = `${random.pick(owners)} empties ${folder} on ${host} by ${random.pick(days)}`;
    const ticket = 4_000 + n;
    const sound = decompositionOf(ticket, host);
    const outputs = outputsOf({ host, row, rows, fullest, folder, size, step });
    const answer = [
      `The disk of ${host} is ${row.disk_pct}% full, with ${row.free_gib} GiB free.`,
      `Its largest folder is ${folder} with ${size} GiB.`,
      `Of ${rows.length} machines ${fullest.host} has the fullest disk, at ${fullest.disk_pct}%.`,
      `${step}.`,
    ].join(' ');
    const invented = ` The disk controller of ${host} was replaced last winter. A second volume of 750 GiB stands ready for ${host}.`;
    return {
      id: `demo-${run}-plan-${String(n + 1).padStart(4, '0')}`,
      fault,
      faultyAt: placeOf(fault),
      query: `Ticket ${ticket}: why is the disk of ${host} filling up, is it worse than on the other machines, and who does what about it?`,
      complexity: n % 4 < 2 ? 'MEDIUM' : 'COMPLEX',
      drafted: withFault(sound, fault),
      mended: { ...sound, goal: `${sound.goal}, step by step` },
      outputs:
        fault === 'low_confidence' ? { ...outputs, inspect: unsure(outputs.inspect) } : outputs,
      secondOutputs: outputs,
      answer: fault === 'invented_claim' ? answer + invented : answer,
      mendedAnswer: answer,
      begunAt: moments[n] ?? null,
    };
  });
}

/** @param {PlanFault | null} fault */
function placeOf(fault) {
  if (fault === null) return null;
  if (fault === 'low_confidence') return 'agent-output';
  return fault === 'invented_claim' ? 'synthesis' : 'decomposition';
}

/** @param {number} ticket @param {string} host @returns {Decomposition} */
function decompositionOf(ticket, host) {
  const subgoal = (
    /** @type {string} */ id,
    /** @type {string} */ description,
    /** @type {string} */ agent,
    /** @type {string} */ requires,
    /** @type {string[]} */ ...needs
  ) => ({
    id,
    description,
    agent,
    depends_on: needs,
    requires: [requires],
  });
  return {
    goal: `Ticket ${ticket}: find out why the disk of ${host} fills up, and what to do`,
    subgoals: [
      subgoal('read', `Read how full the disk of ${host} is`, 'metrics-reader', 'metrics'),
      subgoal('inspect', `Find the largest folder on ${host}`, 'file-inspector', 'files'),
      subgoal(
        'compare',
        `Compare the disk of ${host} with the other machines`,
        'metrics-reader',
        'metrics',
        'read',
      ),
      subgoal(
        'advise',
        `Advise what to do on ${host}, by whom and when`,
        'ops-advisor',
        'advice',
        'inspect',
        'compare',
      ),
    ],
    execution_order: [
      { phase: 'parallel', subgoals: ['read', 'inspect'] },
      { phase: 'sequential', subgoals: ['compare', 'advise'] },
    ],
  };
}

/** @param {Decomposition} sound @param {PlanFault | null} fault @returns {Decomposition} */
function withFault(sound, fault) {
  const change = (
    /** @type {string[]} */ ids,
    /** @type {(subgoal: Subgoal) => Partial<Subgoal>} */ to,
  ) => ({
    ...sound,
    subgoals: sound.subgoals.map((subgoal) =>
      ids.includes(subgoal.id) ? { ...subgoal, ...to(subgoal) } : subgoal,
    ),
  });
  switch (fault) {
    case 'cycle':
      return change(['read'], () => ({ depends_on: ['advise'] }));
    case 'dangling_dependency':
      return change(['advise'], ({ depends_on }) => ({ depends_on: [...depends_on, 'approve'] }));
    case 'unknown_agent':
      return change(['inspect', 'compare'], () => ({ agent: 'disk-wizard' }));
    case 'missing_capability':
      return change(['read', 'compare'], () => ({ agent: 'file-inspector' }));
    case 'contradictory_order':
      return {
        ...sound,
        execution_order: [
          { phase: 'sequential', subgoals: ['advise', 'compare', 'read', 'inspect'] },
        ],
      };
    case 'thin':
      return {
        ...sound,
        subgoals: [
          {
            id: 'all',
            description: 'Look after it',
            agent: 'ops-advisor',
            depends_on: [],
            requires: [],
          },
        ],
        execution_order: [{ phase: 'sequential', subgoals: ['all'] }],
      };
    default:
      return sound;
  }
}

/**
 * @param {{ host: string, row: import('./readings.mjs').Row, rows: readonly
 * import('./readings.mjs').Row[], fullest: import('./readings.mjs').Row, folder: string, size:
 * number, step: string }} found
 */
function outputsOf({ host, row, rows, fullest, folder, size, step }) {
  const output = (
    /** @type {string} */ agent,
    /** @type {string} */ summary,
    /** @type {unknown} */ data,
    /** @type {string[]} */ tools,
  ) => ({
    agent,
    summary,
    data,
    confidence: 0.9,
    tools_used: tools,
    metadata: { scripted: true },
  });
  return {
    read: output(
      'metrics-reader',
      `The disk of ${host} is ${row.disk_pct}% full, with ${row.free_gib} GiB free.`,
      row,
      ['node-exporter'],
    ),
    inspect: output(
      'file-inspector',
      `The largest folder on ${host} is ${folder} with ${size} GiB.`,
      { folder, size_gib: size },
      ['du'],
    ),
    compare: output(
      'metrics-reader',
      `Of ${rows.length} machines ${fullest.host} has the fullest disk, at ${fullest.disk_pct}%.`,
      { machines: rows.length, rows },
      ['node-exporter'],
    ),
    advise: output('ops-advisor', `${step}.`, {}, []),
  };
}

/** @param {Output} output @returns {Output} */
const unsure = (output) => ({
  ...output,
  summary: `${output.summary} Some folders could not be read.`,
  confidence: 0.6,
});
