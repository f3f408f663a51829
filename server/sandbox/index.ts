export { startBoxLauncher } from './box-launcher';
export { type BoxFile, type BoxJob, type BoxResult } from './box-job';
export { faultOfPaths } from './box-paths';
export { type BoxMonitor, type BoxState, createBoxMonitor } from './box-monitor';
export { nodeInBox } from './node-in-box';
/** @internal For tests of other modules. */
export type { BoxStream } from './box-job';
