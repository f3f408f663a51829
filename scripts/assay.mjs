#!/usr/bin/env node
// The `assay` command (package.json `bin`; `npx assay` finds it in the checkout without an
// installation).
import { isNodeTooOld } from './node-version.mjs';

if (!isNodeTooOld()) {
  void import('./commands.mjs').then(function (commands) {
    return commands.main();
  });
}
