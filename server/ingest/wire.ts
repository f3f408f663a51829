/** The API's input schemas, pure zod, for the routes and for clients. */
export { intakeLimits, WireTurn } from '../domain';
