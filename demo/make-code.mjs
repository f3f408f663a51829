// Work of a scripted coding agent: small Flask services in Python, with faults of known kinds in a
// known share of them, and the agent's repairs. Its models are
// named as scripted; their sizes put them into two tiers.
import { createRandom } from './random.mjs';

/**
 * `missing_file`: the service itself is not written; `wrong_framework`: FastAPI instead of Flask;
 * `stub`: functions without a body; `syntax_error`: does not compile; `missing_route`: both routes
 * are missing, the rest is there.
 * @typedef {'missing_file' | 'wrong_framework' | 'stub' | 'syntax_error' | 'missing_route'}
 * CodeFault
 */
/** @type {readonly CodeFault[]} */
export const codeFaults = [
  'missing_file',
  'wrong_framework',
  'stub',
  'syntax_error',
  'missing_route',
];

/** Medium, which passes from 75 points, and xlarge, which passes from 85. */
export const codeModels = /** @type {const} */ (['scripted/coder-14b', 'scripted/coder-70b']);

/** @typedef {{ path: string, content: string }[]} Files */

/**
 * @typedef {object} DemoCode
 * @property {string} id also of its session
 * @property {CodeFault | null} fault null if the work is correct
 * @property {string} request
 * @property {string} model
 * @property {Files} files of the first try
 * @property {Files} mended files of the repair
 * @property {Date | null} endedAt of the first try; null means now
 */

const things = [
  'task',
  'order',
  'user',
  'book',
  'ticket',
  'invoice',
  'room',
  'event',
  'device',
  'recipe',
  'sensor',
  'parcel',
];

/**
 * Every second work is correct; the others have the faults in turn, so that a few works show all of
 * them.
 * @param {{ run: string, count: number, seed: number, calendar?: import('./calendar.mjs').Calendar
 * | null }} options
 * @returns {DemoCode[]}
 */
export function makeCode({ run, count, seed, calendar = null }) {
  const moments = calendar?.momentsOf(count, 14) ?? [];
  return Array.from({ length: count }, (_, n) => {
    const random = createRandom(Math.imul(seed + 3, 0x9e3779b1) + Math.imul(n, 0x85ebca6b));
    const thing = things[n % things.length] ?? 'task';
    const fault = n % 2 === 0 ? null : (codeFaults[(n >> 1) % codeFaults.length] ?? null);
    const mended = filesOf(thing, null);
    return {
      id: `demo-${run}-code-${String(n + 1).padStart(4, '0')}`,
      fault,
      request:
        `Create app.py with a Flask API that has the routes /api/${thing}s and /api/${thing}s/stats, ` +
        `and models.py with a class ${capital(thing)}.`,
      // The number of faults is odd, so each occurs with both models.
      model:
        n % 2 === 0
          ? random.pick(codeModels)
          : (codeModels[Math.floor(n / (2 * codeFaults.length)) % codeModels.length] ??
            codeModels[0]),
      files: filesOf(thing, fault),
      mended,
      endedAt: moments[n] ?? null,
    };
  });
}

/** @param {string} word @returns {string} */
const capital = (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** @param {string} thing @param {CodeFault | null} fault @returns {Files} */
function filesOf(thing, fault) {
  const files = [
    { path: 'app.py', content: serviceOf(thing, fault) },
    { path: 'models.py', content: modelOf(thing, fault) },
  ];
  return fault === 'missing_file' ? files.slice(1) : files;
}

/** @param {string} thing @param {CodeFault | null} fault @returns {string} */
function serviceOf(thing, fault) {
  const base = fault === 'missing_route' ? '/v2' : `/api/${thing}s`;
  const isFastApi = fault === 'wrong_framework';
  const route = (/** @type {string} */ path) =>
    isFastApi ? `@app.get("${path}")` : `@app.route("${path}")`;
  const answer = (/** @type {string} */ value) =>
    isFastApi ? `    return ${value}` : `    return jsonify(${value})`;
  const body = (/** @type {string[]} */ ...lines) => (fault === 'stub' ? ['    pass'] : lines);
  return [
    isFastApi ? 'from fastapi import FastAPI' : 'from flask import Flask, jsonify',
    '',
    `from models import ${capital(thing)}`,
    '',
    isFastApi ? 'app = FastAPI()' : 'app = Flask(__name__)',
    `store = [${capital(thing)}("first", True), ${capital(thing)}("second")]`,
    '',
    '',
    route(base),
    `def list_${thing}s()${fault === 'syntax_error' ? '' : ':'}`,
    ...body(answer('[each.as_dict() for each in store]')),
    '',
    '',
    route(`${base}/stats`),
    `def count_${thing}s():`,
    ...body(
      '    done = sum(1 for each in store if each.done)',
      answer('{"count": len(store), "done": done}'),
    ),
    '',
  ].join('\n');
}

/** @param {string} thing @param {CodeFault | null} fault @returns {string} */
function modelOf(thing, fault) {
  const body = (/** @type {string[]} */ ...lines) => (fault === 'stub' ? ['        pass'] : lines);
  return [
    `class ${capital(thing)}:`,
    `    """One ${thing} of the store."""`,
    '',
    '    def __init__(self, name, done=False):',
    ...body('        self.name = name', '        self.done = done'),
    '',
    '    def as_dict(self):',
    ...body('        return {"name": self.name, "done": self.done}'),
    '',
  ].join('\n');
}
