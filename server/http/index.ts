export { createApp } from './app';
export type { HttpDeps } from './deps';
/** @internal For tests of other rooms. */
export { httpRoutes } from './description';
export { createIntake } from './intake';
export { createNodeIntake } from './node-intake';
export { requestServices } from './serve-requests';
