export { createApp } from './app';
/** @internal For tests of other rooms. */
export type { HttpDeps } from './deps';
/** @internal For tests of other rooms. */
export { httpRoutes } from './routes';
export { createIntake } from './intake';
export { createNodeIntake } from './node-intake';
export { requestServices } from './serve-requests';
