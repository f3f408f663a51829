// The self-test's script inside a box: its report has one value per check, true if isolation works.
// Plain JavaScript for the Node inside; its input comes from standard input.

/** Things outside that must be invisible inside. */
export interface ProbeInput {
  /** Files and folders of this machine that must be invisible. */
  readonly hidden: readonly string[];
  /** A listening port on this machine's loopback. */
  readonly port: number;
  /** Limit of processes and threads that must take effect. */
  readonly tasks: number;
  /** Numbers of system calls that must be refused. */
  readonly calls: readonly number[];
}

/** Checks that the report must contain, with the message shown if they fail. */
export const probeChecks: ReadonlyMap<string, string> = new Map([
  ['identity', 'code in the box runs as another user than the box gives it'],
  ['capabilities', 'code in the box holds capabilities'],
  ['filter', 'the filter of system calls is not on'],
  ['environment', 'code in the box sees variables of this machine'],
  ['files', 'code in the box sees files of this machine'],
  ['network', 'code in the box reaches the network'],
  ['sockets', 'code in the box opens sockets of other families than Unix and IP'],
  ['memory', 'code in the box can hold memory that nothing counts'],
  ['first', 'code in the box reaches the memory of its first process'],
  ['readonly', 'code in the box can write outside of its own folders'],
  ['tasks', 'the limit of processes does not hold'],
  ['limits', 'resource limits are not set'],
]);

/**
 * Node has no raw system calls; Perl does, and is part of every Debian system. Arguments: the
 * numbers of calls. It prints the families whose sockets opened, a slash, and the calls that were
 * not refused. Without Perl, a family that Node can use (AF_NETLINK, for its list of interfaces) is
 * proof enough for the others: one rule of the filter refuses them all.
 */
export const callScript = String.raw`
my @open = grep { my ($s, $t, $u); socket($s, $_, 1, 0) || socket($s, $_, 2, 0) || socket($s, $_, 3, 0) || socketpair($t, $u, $_, 1, 0) } 0 .. 45;
my @calls = grep { my $r = syscall($_ + 0, 0, 4096, 0x380); !($r == -1 && ($! + 0 == 1 || $! + 0 == 38)) } @ARGV;
print join(",", @open), "/", join(",", @calls);
`;

export const probeScript = String.raw`
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const { spawn, spawnSync } = require('node:child_process');
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
const spoken = spawnSync('/usr/bin/perl', ['/opt/assay/calls.pl', ...input.calls.map(String)], { encoding: 'utf8' });
const hasPerl = spoken.error === undefined && spoken.status === 0;
const called = !hasPerl ? null : /^([\d,]*)\/([\d,]*)$/.exec(spoken.stdout);
let hasNetlink = true;
try { os.networkInterfaces(); } catch { hasNetlink = false; }
checks.sockets = !hasNetlink && (!hasPerl || (called !== null && ['1,2,10', '1,2'].includes(called[1])));
checks.memory = !hasPerl || (called !== null && called[2] === '');
checks.first = ['r', 'r+'].every((flags) => {
  try { fs.openSync('/proc/1/mem', flags); return false; } catch { return true; }
});
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
const external = fs.readFileSync('/proc/net/dev', 'utf8').split('\n').slice(2).some((line) => line.trim() && !/^\s*lo:/.test(line));
const socket = net.connect({ host: '127.0.0.1', port: input.port });
socket.once('connect', () => { checks.network = false; finish(); });
socket.once('error', () => { checks.network = !external; finish(); });
`;
