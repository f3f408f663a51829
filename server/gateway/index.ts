export { type OpenGateway, openGateway } from './open';
export { type Senders, defaultSenderLimits, watchSenders } from './proxy/slow-senders';
export { resetBreaker } from './proxy/reset';
/** @internal For tests of other modules. */
export { listBreakers } from './proxy/reset';
export { deleteCalls } from './record/delete-calls';
export { deleteCounters } from './verify/store';
export { deleteRoute } from './routes/delete';
export { getRoute, listRoutes } from './routes/list';
export { putRoute } from './routes/put';
export type { RouteView } from './routes/view';
export { getGatewaySession } from './record/get-gateway-session';
export { listCalls, listCallValues } from './record/list-calls';
export { listGatewaySessions } from './record/list-gateway-sessions';
export { listGatewayDays } from './record/list-gateway-days';
export { measureSteering } from './record/measure-steering';
export { summariseGateway } from './record/summarise-gateway';
