/**
 * The environment variable that identifies a test run by its main process and rerun count.
 * Resources shared by the test processes of a run have its value in their names. Set by
 * test-cluster.ts.
 */
export const runVariable = 'ASSAY_TEST_RUN';
