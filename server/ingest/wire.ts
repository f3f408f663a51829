/** The wire's shapes, pure zod, for the doors and for clients. */
export { intakeLimits, WireTurn } from '../domain';
