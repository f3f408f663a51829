/** @internal For tests of other rooms. */
export { createCallContext } from './builders';
export { admitOwn, handleTrpc } from './handler';
export { type AppRouter } from './router';
/** @internal For tests of other rooms. */
export { createCaller } from './router';
/** @internal For tests of other rooms. */
export { appRouter } from './router';
