export { startBoxLauncher } from './box-launcher';
export { type BoxFile, type BoxJob, type BoxResult } from './box-job';
export { faultOfPaths } from './box-paths';
export { type BoxKeeper, type BoxState, createBoxKeeper } from './keeper';
export { nodeInBox } from './node-in-box';
/** @internal For tests of other modules. */
export type { BoxStream } from './box-job';
