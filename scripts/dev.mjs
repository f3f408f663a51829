// `npm run dev`: like `npm start`, without a build. `next dev` serves the console; edge and worker
// are bundled and restarted when one of their files changes.
import { isNodeTooOld } from './node-version.mjs';

if (!isNodeTooOld()) {
  void import('./instance.mjs').then(function (instance) {
    return instance.main({ isDev: true });
  });
}
