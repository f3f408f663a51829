/** @internal For tests of other modules. */
export { createCallContext } from './builders';
export { admitSameOrigin, handleTrpc } from './handler';
export { type AppRouter } from './router';
/** @internal For tests of other modules. */
export { createCaller } from './router';
/** @internal For tests of other modules. */
export { appRouter } from './router';
