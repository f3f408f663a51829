export { answerUnreadable } from './answer';
export { createApp } from './app';
export { answerDocs } from './docs-site';
/** @internal For tests of other modules. */
export type { HttpDeps } from './deps';
/** For the generated reference of the docs, and for tests. */
export { describeApi, describedText } from './description';
export { httpRoutes } from './routes';
export { createIntake } from './intake';
export { createNodeIntake } from './node-intake';
export { requestServices } from './serve-requests';
export { intakeAliases } from './intake-paths';
