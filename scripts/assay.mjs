#!/usr/bin/env node
// The `assay` command: `./assay` in a checkout, and the program of the package @assay/server.
import { isNodeTooOld } from './node-version.mjs';

if (!isNodeTooOld()) {
  void import('./commands.mjs').then(function (commands) {
    return commands.main();
  });
}
