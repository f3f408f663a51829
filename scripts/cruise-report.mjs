/** Far below the size of the real tree, far above the few modules of a wrong configuration. */
const minModules = 100;

/**
 * A dependency-cruiser without TypeScript finds no modules and no violations, and exits with 0.
 * @param {string} output
 * @returns {string | undefined} the fault
 */
export function refuseEmptyCruise(output) {
  const read = /\((\d+) modules/.exec(output)?.[1];
  return Number(read) > minModules
    ? undefined
    : `the import rules were checked on ${read ?? 'an unknown number of'} modules`;
}
