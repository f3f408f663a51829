// Any version of Node must be able to parse this file, so it and the entries that import it use
// nothing newer than Node 12.

/**
 * Prints an error and sets the exit code if this Node is older than 20.19.
 * @returns {boolean}
 */
export function isNodeTooOld() {
  const version = process.versions.node.split('.').map(Number);
  const major = version[0] || 0;
  const isTooOld = major < 20 || (major === 20 && (version[1] || 0) < 19);
  if (isTooOld) {
    process.stderr.write(
      'Assay needs Node 20.19 or newer, and this is Node ' +
        process.versions.node +
        ': install a newer one.\n',
    );
    process.exitCode = 1;
  }
  return isTooOld;
}
