export { createApp, type HttpDeps } from './app';
export { httpRoutes } from './description';
