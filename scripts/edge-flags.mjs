// Flags of `assay edge`. They override the environment: they become variables of the process that
// is started (QV-39).
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from './failure.mjs';

const names = [
  'model',
  'frequency',
  'max-history',
  'max-consecutive-failures',
  'cooldown-seconds',
  'ttft-timeout-seconds',
  'tool-followup-weight',
];

/**
 * @param {string[]} args the arguments after `assay edge`
 * @returns {Record<string, string>} variables; omitted flags set none
 */
export function readEdgeFlags(args) {
  const flags = ['config', ...names.map((name) => `quality-verifier-${name}`)];
  const options = Object.fromEntries(
    flags.map((flag) => [flag, { type: /** @type {const} */ ('string') }]),
  );
  const values = parse(args, options);
  /** @type {Record<string, string>} */
  const variables = {};
  for (const flag of flags) {
    const value = values[flag];
    if (typeof value !== 'string') continue;
    // An empty variable counts as unset, so the setting would come from the file.
    if (value.trim() === '') throw new Failure(`--${flag} needs a value.`);
    // A path is relative to the caller's folder, but the process runs in another one.
    if (flag === 'config') variables.ASSAY_CONFIG = resolve(value);
    else variables[flag.toUpperCase().replaceAll('-', '_')] = value;
  }
  return variables;
}

/**
 * @param {string[]} args
 * @param {Record<string, { type: 'string' }>} options
 */
function parse(args, options) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const flag = /'([^' =]+)/.exec(message)?.[1];
    if (flag === undefined) throw new Failure(`assay edge: ${message.split('\n')[0]}`);
    const isKnown = Object.hasOwn(options, flag.replace(/^--/, ''));
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new Failure(
      isKnown
        ? `${flag} needs a value.`
        : `${flag} is not an option of assay edge; the options are ${known.join(', ')}.`,
    );
  }
}
