// `npm start`. The rest is imported only after the version check: a Node that is too old could not
// even parse it.
import { isNodeTooOld } from './node-version.mjs';

if (!isNodeTooOld()) {
  void import('./instance.mjs').then(function (instance) {
    return instance.main();
  });
}
