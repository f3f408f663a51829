import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const pods = table(`
pod | pod | node | cpu_millicores | memory_mib | restarts | p50_ms | p95_ms | p99_ms | error_rate_pct
api1 | api-7f9c | node-a | 412 | 738 | 0 | 38 | 121 | 264 | 0.12
api2 | api-b41d | node-b | 655 | 902 | 3 | 44 | 187 | 513 | 1.84
auth | auth-3c4d | node-a | 128 | 256 | 1 | 12 | 41 | 97 | 0.03
cart | cart-9e02 | node-c | 287 | 611 | 0 | 29 | 88 | 176 | 0.41
mail | mail-5d2a | node-c | 74 | 193 | 7 | 210 | 640 | 1380 | 2.37
`);
const node = table(`
node | node | disk_pct | load_1m | uptime_days
a | node-a | 71.4 | 2.13 | 46
b | node-b | 91.8 | 5.62 | 12
c | node-c | 54.0 | 1.07 | 88
`);

export const serverMetrics = auditedShape(
  'server metrics',
  [pods, node],
  [json('pods', { namespace: 'shop', pods: rowsOf(pods) }), json('nodes', rowsOf(node))],
  `
\`api-b41d\` is the pod to watch: {655m=api2.cpu_millicores} CPU, {902 MiB=api2.memory_mib} of memory and
{3=api2.restarts} restarts. Its p99 latency is {513 ms=api2.p99_ms}.

The p95 of api-7f9c is {121 ms=api1.p95_ms}, and its p99 is {264 ms=api1.p99_ms}. For cart-9e02 they
are {88 ms=cart.p95_ms} and {176 ms=cart.p99_ms}.

auth-3c4d uses {128=auth.cpu_millicores} millicores and {256 MiB=auth.memory_mib}, whereas cart-9e02
uses {287=cart.cpu_millicores} millicores and {738 MiB!place cart.memory_mib <- api1.memory_mib}.

mail-5d2a restarted {7 times=mail.restarts}, has an error rate of {2.37%=mail.error_rate_pct}, and a p99
of {640 ms!quantity mail.p99_ms <- mail.p95_ms}.

**Nodes**
- node-a: disk {71.4%=a.disk_pct}, load {2.13=a.load_1m}, up {46 days=a.uptime_days}
- node-b: disk {91.8%=b.disk_pct}, load {5.62=b.load_1m}, up {12 days=b.uptime_days}
- node-c: disk {54%=c.disk_pct}, load {1.07=c.load_1m}, up {46 days!place c.uptime_days <- a.uptime_days}

Disk on node-b is at {91.8%=b.disk_pct}, the fullest of the three. The load there is {5.62=b.load_1m},
against {1.07=c.load_1m} on node-c.

All five pods together use {2,700 MiB=sum(all.memory_mib)} of memory and {1,556=sum(all.cpu_millicores)}
millicores.

The slowest pod is mail-5d2a, with a median of {210 ms=mail.p50_ms} and a p99 of
{1.38 s=mail.p99_ms/1000}. The fastest is auth-3c4d, at {12 ms=auth.p50_ms} and {97 ms=auth.p99_ms}.

api-7f9c runs on node-a with {412 MiB!quantity api1.memory_mib <- api1.cpu_millicores} of memory and no
restarts; its error rate is {0.12%=api1.error_rate_pct}.

There were {11 restarts=sum(all.restarts)} in total: {7=mail.restarts} of mail-5d2a, {3=api2.restarts} of
api-b41d and {1=auth.restarts} of auth-3c4d.

The highest error rate is {1.84%!extreme max(all.error_rate_pct) <- api2.error_rate_pct}, seen on
api-b41d, followed by {0.41%=cart.error_rate_pct} on cart-9e02.

Compared with api-7f9c, api-b41d needs {243=api2.cpu_millicores-api1.cpu_millicores} millicores more and
its p95 is {66 ms=api2.p95_ms-api1.p95_ms} slower ({187=api2.p95_ms} against {121 ms=api1.p95_ms}).

node-b has been up for {12 days=b.uptime_days} and its disk is nearly {92%~b.disk_pct} full. I would
expand it before it reaches {95%!invented ; no limit is given in the source}.

Look at mail-5d2a first. It sits on node-c. It uses only {74=mail.cpu_millicores} millicores and
{193 GiB!unit ; the source has MiB}, yet {2.37%=mail.error_rate_pct} of its requests fail.

cart-9e02 answers half of its requests within {29 ms=cart.p50_ms} and {95%=95} within
{176 ms!quantity cart.p95_ms <- cart.p99_ms}; {0.41%=cart.error_rate_pct} fail.
`,
);
