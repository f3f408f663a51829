/**
 * The environment variable that names a test run by its main process and the count of its reruns:
 * what the test processes of a run share has this in its name. Set by test-cluster.ts.
 */
export const runVariable = 'ASSAY_TEST_RUN';
