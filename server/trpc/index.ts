export { type CallContext, createCallContext } from './builders';
export { handleTrpc, refuseForeign } from './handler';
export { type AppRouter, appRouter, createCaller } from './router';
