export { startBoxLauncher } from './box-launcher';
export { type BoxEnd, type BoxFile, type BoxJob, type BoxLimits, type BoxResult } from './box-job';
export { faultOfPaths } from './box-paths';
export { type BoxKeeper, type BoxKeeperOptions, type BoxState, createBoxKeeper } from './keeper';
export { type NodeInBox, nodeInBox } from './node-in-box';
