// `npm run dev`: the instance of `npm start` without a build. The console is served by `next dev`; edge and worker are bundled anew and
// started again when a file of theirs changes.
import { isNodeTooOld } from './node-version.mjs';

if (!isNodeTooOld()) {
  void import('./instance.mjs').then(function (instance) {
    return instance.main({ isDev: true });
  });
}
