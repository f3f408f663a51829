/** The wire's shapes, pure zod, for the doors and for clients (house.md 2). */
export { intakeLimits, WireTurn } from '../domain';
