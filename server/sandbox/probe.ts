// What the self-test runs inside a box: one check a line of its report, each true when the wall holds. The script is plain
// JavaScript for the Node inside; what it is to look for comes by standard input.

/** What stands outside and may not be seen. */
export interface ProbeInput {
  /** Files and folders of this machine that must not be there. */
  readonly hidden: readonly string[];
  /** A listening port on this machine's loopback. */
  readonly port: number;
  /** Limit of processes and threads that must bite. */
  readonly tasks: number;
}

/** Checks that the report must hold, each with what a person reads when it fails. */
export const probeChecks: ReadonlyMap<string, string> = new Map([
  ['identity', 'code in the box runs as another user than the box gives it'],
  ['capabilities', 'code in the box holds capabilities'],
  ['filter', 'the filter of system calls is not on'],
  ['environment', 'code in the box sees variables of this machine'],
  ['files', 'code in the box sees files of this machine'],
  ['network', 'code in the box reaches the network'],
  ['readonly', 'code in the box can write outside of its own folders'],
  ['tasks', 'the limit of processes does not hold'],
  ['limits', 'resource limits are not set'],
]);

export const probeScript = String.raw`
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const { spawn } = require('node:child_process');
const input = JSON.parse(fs.readFileSync(0, 'utf8'));
const status = fs.readFileSync('/proc/self/status', 'utf8');
const field = (name) => (new RegExp('^' + name + ':\\s*(.*)$', 'm').exec(status) || [])[1];
const checks = {};
checks.identity = process.getuid() === 65534 && process.geteuid() === 65534 && process.getgid() === 65534;
checks.capabilities = ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].every((name) => /^0+$/.test(field(name))) && field('NoNewPrivs') === '1';
checks.filter = field('Seccomp') === '2';
const allowed = new Set(['PATH', 'HOME', 'TMPDIR', 'LANG', 'PWD']);
checks.environment = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).every((pid) => {
  try {
    const names = fs.readFileSync('/proc/' + pid + '/environ', 'utf8').split('\0').filter(Boolean).map((line) => line.split('=')[0]);
    return names.every((name) => allowed.has(name));
  } catch { return true; }
});
checks.files = input.hidden.every((path) => !fs.existsSync(path));
checks.readonly = ['/', '/usr', '/etc', '/dev', '/proc/sys/kernel'].every((folder) => {
  try { fs.writeFileSync(folder + '/assay-probe', ''); return false; } catch { return true; }
});
const limits = fs.readFileSync('/proc/self/limits', 'utf8');
checks.limits = /^Max core file size\s+0\s+0/m.test(limits) && !/^Max (file size|data size|cpu time|processes)\s+unlimited/m.test(limits);
const sleepers = [];
function spawnAll() {
  let refused = 0;
  for (let i = 0; i < input.tasks + 8 && refused === 0; i += 1) {
    const child = spawn('/bin/sleep', ['30'], { stdio: 'ignore' });
    child.on('error', () => {});
    if (child.pid === undefined) refused += 1; else sleepers.push(child);
  }
  checks.tasks = refused > 0;
  for (const child of sleepers) child.kill('SIGKILL');
}
function finish() {
  spawnAll();
  fs.writeSync(3, JSON.stringify(checks));
  process.exit(0);
}
const external = Object.values(os.networkInterfaces()).flat().some((face) => face && !face.internal);
const socket = net.connect({ host: '127.0.0.1', port: input.port });
socket.once('connect', () => { checks.network = false; finish(); });
socket.once('error', () => { checks.network = !external; finish(); });
`;
