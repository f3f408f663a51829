export { type OpenGateway, openGateway } from './open';
export { type Senders, usualSenderLimits, watchSenders } from './door/slow-senders';
export { resetBreaker } from './breakers/reset';
/** @internal For tests of other rooms. */
export { listBreakers } from './breakers/reset';
export { deleteCalls } from './record/delete-calls';
export { deleteRoute } from './routes/delete';
export { getRoute, listRoutes } from './routes/list';
export { putRoute } from './routes/put';
export type { RouteView } from './routes/view';
export { getGatewaySession } from './views/get-gateway-session';
export { listCalls, listCallValues } from './views/list-calls';
export { listGatewaySessions } from './views/list-gateway-sessions';
export { listGatewayDays } from './views/list-gateway-days';
export { measureSteering } from './views/measure-steering';
export { summariseGateway } from './views/summarise-gateway';
