// The box launcher as a process. Arguments: the uid of the worker, and the cgroup folder that the
// operator delegated, if any.
import { startBoxLauncher } from '../server/sandbox';

const [uid = '', cgroup = ''] = process.argv.slice(2);
try {
  startBoxLauncher(Number(uid), cgroup === '' ? null : cgroup);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
