import type { Ctx } from '../platform';
import type { KnownDevices } from './known-device';
import type { SignedIn } from './sessions';

export interface CurrentSession {
  readonly id: string;
  readonly user: SignedIn;
}

/** The parts of the sessions that the steps of signing in use. */
export interface SignInParts {
  readonly devices: KnownDevices;
  /** Calls better-auth with the cookies of the request; without a body by GET. */
  readonly call: (request: Request, path: string, body?: object) => Promise<Response>;
  /** Answers with a status below 300 if it is the password of the request's session. */
  readonly checkPassword: (request: Request, password: string) => Promise<Response>;
  /** The session of these cookies. @throws AssayError unavailable */
  readonly find: (headers: Headers) => Promise<CurrentSession | null>;
}

/** Handles a POST; its errors become the answer. */
export type SignInStep = (ctx: Ctx, parts: SignInParts, request: Request) => Promise<Response>;
