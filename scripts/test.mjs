// `npm test`: everything, from a fresh clone. Later parts run although an earlier one failed; the
// last line has the totals, and the exit code is not 0 when anything failed.
import { isNodeTooOld } from './node-version.mjs';

if (!isNodeTooOld()) {
  void import('./test-run.mjs').then(function (tests) {
    return tests.main();
  });
}
