export { createApp } from './app';
export type { HttpDeps } from './deps';
export { httpRoutes } from './routes';
export { createIntake } from './intake';
export { createNodeIntake } from './node-intake';
export { requestServices } from './serve-requests';
