// A worker that only runs sandboxes, for tests that need one under another user or one that can be
// killed. It reads a job as a line of JSON from standard input and writes its result as a line of
// JSON.
import { createInterface } from 'node:readline';
import { type BoxJob, createBoxMonitor } from '../server/sandbox';

const launcherFd = process.env.ASSAY_TEST_LAUNCHER_FD;
const monitor = createBoxMonitor(
  launcherFd === undefined ? {} : { launcherFd: Number(launcherFd) },
);

createInterface({ input: process.stdin }).on('line', (line) => {
  // Written by boxes.ts.
  const { id, job } = JSON.parse(line) as { id: number; job: BoxJob };
  void monitor.run(job, new AbortController().signal).then((result) => {
    const texts = {
      stdout: result.stdout.toString('base64'),
      stderr: result.stderr.toString('base64'),
      report: result.report.toString('base64'),
    };
    process.stdout.write(
      `${JSON.stringify({ id, ...result, ...texts, state: monitor.state() })}\n`,
    );
  });
});
process.stdin.once('end', () => monitor.stop());
