// `npm test`: runs everything from a fresh clone. Later parts run even if an earlier one failed;
// the last line has the totals, and the exit code is not 0 if anything failed.
import { isNodeTooOld } from './node-version.mjs';

if (!isNodeTooOld()) {
  void import('./test-run.mjs').then(function (tests) {
    return tests.main();
  });
}
