export { type OpenGateway, openGateway } from './open';
export { type Senders, usualSenderLimits, watchSenders } from './proxy/slow-senders';
export { type BreakerState, listBreakers, resetBreaker } from './proxy/reset';
export { deleteCalls } from './record/delete-calls';
export { deleteCounters } from './verify/store';
export { deleteRoute } from './routes/delete';
export { getRoute, listRoutes } from './routes/list';
export { putRoute } from './routes/put';
export type { RouteView } from './routes/view';
export type { CallRow } from './record/call-row';
export {
  type GatewaySession,
  getGatewaySession,
  type SessionCall,
} from './record/get-gateway-session';
export { type CallPage, listCalls, listCallValues } from './record/list-calls';
export {
  type GatewaySessionPage,
  type GatewaySessionRow,
  listGatewaySessions,
} from './record/list-gateway-sessions';
export { listGatewayDays } from './record/list-gateway-days';
export { measureSteering, type SteeringMeasure, type SteerSide } from './record/measure-steering';
export {
  type GatewaySummary,
  type OpenBreaker,
  type Spread,
  summariseGateway,
} from './record/summarise-gateway';
