import { auditedShape } from '../shape';
import { plain, table } from '../../table';

const batches = table(`
batch | id | started | finished | minutes | rows | failed | mb
n1 | nightly-311 | 2024-05-13T01:00 | 2024-05-13T01:42 | 42 | 184203 | 17 | 912
n2 | nightly-312 | 2024-05-14T01:00 | 2024-05-14T01:47 | 47 | 191870 | 0 | 948
n3 | nightly-313 | 2024-05-15T01:00 | 2024-05-15T02:31 | 91 | 187455 | 2304 | 930
h1 | hourly-88 | 2024-05-15T09:00 | 2024-05-15T09:03 | 3 | 7812 | 5 | 39
`);

const log = [...batches.rows.values()]
  .flatMap(({ id, started, finished, minutes, rows, failed, mb }) => [
    `${started ?? ''}:00Z INFO  [${id ?? ''}] batch started`,
    `${finished ?? ''}:00Z INFO  [${id ?? ''}] batch finished duration_min=${minutes ?? ''} rows=${rows ?? ''} failed=${failed ?? ''} mb=${mb ?? ''}`,
  ])
  .join('\n');

export const batchLogs = auditedShape(
  'batch logs',
  [batches],
  [plain('loader.log', log)],
  `
nightly-311 finished in {42 minutes=n1.minutes} and loaded {184,203 rows=n1.rows}; {17=n1.failed} failed.

On {14 May=n2.started} the nightly run took {47 minutes=n2.minutes}, loaded {191,870 rows=n2.rows} and had no failures.

The run of {15 May 2024=n3.started} is the odd one out: it took {91 minutes=n3.minutes} and {2,304 rows=n3.failed}
failed, out of {187,455=n3.rows}.

nightly-312 started at {01:00=n2.started} and finished at {01:42!date n2.finished <- n1.finished}, with
{191,870=n2.rows} rows and {948 MB=n2.mb}.

The three nightly runs moved {912 MB=n1.mb}, {948 MB=n2.mb} and {930 MB=n3.mb}.

nightly-313 ran from {01:00=n3.started} until {02:31=n3.finished} on {May 15=n3.started}. It took
{44 minutes=n3.minutes-n2.minutes} longer than the run before.

- nightly-311: {42 min=n1.minutes}, {17 failed=n1.failed}
- nightly-312: {47 min=n2.minutes}, {17 failed!date n2.failed <- n1.failed}
- nightly-313: {91 min=n3.minutes}, {2,304 failed=n3.failed}

The hourly batch hourly-88 took {3 minutes=h1.minutes} for {7,812=h1.rows} rows, nearly {50 MB!hedge h1.mb ; 39 is not near 50} in all.

Failures jumped from {0=n2.failed} to {2,304=n3.failed}, i.e. {1.2%=share(n3.failed, n3.rows)} of all rows.

Run times of the nightly batch grew from {42=n1.minutes} to {47=n2.minutes} to {91 seconds!unit ; the log has minutes}.

nightly-311 processed {184,203=n1.rows} rows at {4,386=n1.rows/n1.minutes} rows a minute; nightly-313 managed only
{2,060=n3.rows/n3.minutes}.

The largest load was {184,203 rows!extreme max(all.rows) <- n1.rows}; the smallest, {7,812=min(all.rows)}, was hourly-88.

Across all four batches {571,340 rows=sum(all.rows)} were read and {2,326=sum(all.failed)} failed.

On {13 May=n1.started}, {912=n1.mb} MB were loaded in {47 minutes!date n1.minutes <- n2.minutes}; on {14 May=n2.started},
{948 MB=n2.mb}.

The last nightly run had {2,340!digits n3.failed ; two digits are exchanged} failed rows and ended at
{2:31 am=n3.finished} after {91 minutes=n3.minutes}.
`,
);
