export { type CallContext, createCallContext } from './builders';
export { admitOwn, handleTrpc } from './handler';
export { type AppRouter, appRouter, createCaller } from './router';
