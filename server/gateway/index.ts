export { type OpenGateway, openGateway } from './open';
export { type Senders, usualSenderLimits, watchSenders } from './door/slow-senders';
export { type BreakerState, listBreakers, resetBreaker } from './breakers/reset';
export { deleteCalls } from './record/delete-calls';
export { deleteRoute } from './routes/delete';
export { getRoute, listRoutes } from './routes/list';
export { putRoute } from './routes/put';
export type { RouteView } from './routes/view';
export type { CallRow } from './views/call-row';
export {
  type GatewaySession,
  getGatewaySession,
  type SessionCall,
} from './views/get-gateway-session';
export { type CallPage, listCalls, listCallValues } from './views/list-calls';
export {
  type GatewaySessionPage,
  type GatewaySessionRow,
  listGatewaySessions,
} from './views/list-gateway-sessions';
export { listGatewayDays } from './views/list-gateway-days';
export { measureSteering, type SteeringMeasure, type SteerSide } from './views/measure-steering';
export {
  type GatewaySummary,
  type OpenBreaker,
  type Spread,
  summariseGateway,
} from './views/summarise-gateway';
