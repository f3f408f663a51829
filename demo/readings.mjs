// The results of the ops assistant's tools: one row is read from the machine that the demo runs on,
// the others are drawn.
import { statfsSync } from 'node:fs';
import { cpus, freemem, loadavg, totalmem, uptime } from 'node:os';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {Readonly<Record<string, string | number>>} Row */

const gib = 2 ** 30;
const hosts = ['web-1', 'web-2', 'db-1', 'db-2', 'cache-1'];
const services = ['checkout', 'search', 'login', 'catalogue'];

/** @param {number} value @param {number} decimals */
const rounded = (value, decimals) => Number(value.toFixed(decimals));

/**
 * @typedef {object} Machine the readings from this machine, a row for each tool
 * @property {Row} disk
 * @property {Row} memory
 * @property {Row} load
 */

/** @returns {Machine} */
export function readMachine() {
  const host = 'this-machine';
  const { blocks, bavail, bsize } = statfsSync('/');
  return {
    disk: {
      host,
      disk_pct: rounded((1 - bavail / blocks) * 100, 1),
      free_gib: rounded((bavail * bsize) / gib, 1),
    },
    memory: {
      host,
      used_gib: rounded((totalmem() - freemem()) / gib, 1),
      total_gib: rounded(totalmem() / gib, 1),
    },
    load: {
      host,
      cores: cpus().length,
      load_5m: rounded(loadavg()[1] ?? 0, 2),
      up_hours: rounded(uptime() / 3600, 1),
    },
  };
}

/** @param {Random} random @param {Machine} machine @returns {Row[]} */
export const diskRows = (random, machine) => [
  machine.disk,
  ...hosts.map((host) => ({
    host,
    disk_pct: random.between(12, 97, 1),
    free_gib: random.between(9, 900, 1),
  })),
];

/** @param {Random} random @param {Machine} machine @returns {Row[]} */
export const memoryRows = (random, machine) => [
  machine.memory,
  ...hosts.map((host) => {
    const total = random.pick([15.6, 31.2, 62.7, 125.5]);
    return { host, used_gib: rounded(total * random.between(0.2, 0.95, 3), 1), total_gib: total };
  }),
];

/** @param {Random} random @param {Machine} machine @returns {Row[]} */
export const loadRows = (random, machine) => [
  machine.load,
  ...hosts.map((host) => ({
    host,
    cores: random.pick([4, 8, 16]),
    load_5m: random.between(0.1, 14, 2),
    up_hours: random.between(20, 4000, 1),
  })),
];

/** @param {Random} random @returns {Row[]} */
export const requestRows = (random) =>
  services.map((service) => ({
    service,
    requests: random.between(20_000, 900_000),
    failed: random.between(11, 990),
    p95_ms: random.between(120, 990, 1),
  }));

/** @param {Random} random @returns {Row[]} */
export const costRows = (random) =>
  services.map((service) => ({
    service,
    usd_month: random.between(210, 9_800, 2),
    usd_month_before: random.between(210, 9_800, 2),
  }));
