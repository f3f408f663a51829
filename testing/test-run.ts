/**
 * The environment variable that identifies a test run by its main process and the count of its
 * reruns; resources shared by the test processes of a run have it in their names. Set by
 * test-cluster.ts.
 */
export const runVariable = 'ASSAY_TEST_RUN';
